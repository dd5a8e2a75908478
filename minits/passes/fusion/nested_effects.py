"""Effects of nodes, those in their blocks included, found for the whole graph at once.

To order the nodes of a block, each `prim::If` and `prim::Loop` counts as one node that reads and
writes what anything in it does. Early returns nest a program as deep as it is long, so that asking
each block anew what the blocks in it do would take the square of its length. What a node does is
handed on to the nodes around it once, as far as they do not do it already:

    %y = prim::If(%c)                 does all of it
      block0():
        prim::If(%d)                  prints, and writes to %l
          block0():
             = prim::Print(%x)
             = aten::append(%l, %x)
"""

from __future__ import annotations

from collections.abc import Iterator

from minits.ir.alias import AliasAnalysis
from minits.ir.graph import Graph, Node, Value
from minits.ir.points_to import Memory
from minits.ops.properties import has_side_effects, is_nondeterministic


class NestedEffects:
    """The effects of nodes, those of the nodes in their blocks included."""

    def __init__(self, graph: Graph, alias: AliasAnalysis) -> None:
        self.has_effects: set[Node] = set()
        """Nodes whose effects others see, also random numbers that are drawn and exceptions."""
        self.writes_outside: set[Node] = set()
        """Nodes that write to memory that others see, such as that of arguments."""
        self.written: dict[Node, set[Memory]] = {}
        """The memory that nodes write to."""
        self.touched: dict[Node, set[Memory]] = {}
        """The memory that nodes read or give and that any node writes to."""
        for node in graph.all_nodes():
            self._look_at(node, alias)

    def _look_at(self, node: Node, alias: AliasAnalysis) -> None:
        writes_outside = node in alias.writers and alias.writes_to_wildcard(node)
        if writes_outside:
            _add(node, self.writes_outside)
        if writes_outside or has_side_effects(node) or is_nondeterministic(node):
            _add(node, self.has_effects)
        if alias.writers and node.kind != "prim::Constant":
            _hand_on(node, alias.written(node), self.written)
            _hand_on(node, alias.written_of(_values_of(node)), self.touched)


def _add(node: Node, found: set[Node]) -> None:
    """Add a node and those around it."""
    here: Node | None = node
    while here is not None and here not in found:
        found.add(here)
        here = here.owner.owning_node


def _hand_on(node: Node, memory: set[Memory], known: dict[Node, set[Memory]]) -> None:
    """Add memory to what is known of a node and of those around it."""
    here: Node | None = node
    while here is not None:
        mine = known.setdefault(here, set())
        if memory <= mine:
            return
        mine |= memory
        here = here.owner.owning_node


def _values_of(node: Node) -> Iterator[Value]:
    """Yield the values that a node, without those in its blocks, reads and gives."""
    yield from node.inputs
    yield from node.outputs
    for block in node.blocks:
        yield from block.outputs
