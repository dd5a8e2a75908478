"""The last uses of values: after them nothing of a graph needs what a value holds.

    %y : Tensor = aten::relu(%x)
    %z : Tensor = aten::neg(%y)            the last use of %y, and that of %x comes
    %r : Tensor = prim::If(%c)             ... with this node, as it is read in one of the blocks
      block0():
        -> (%x)
      block1():
        -> (%z)
    return (%r)                            the last use of %r

A value is dropped in the block that defines it, as there it is known which nodes follow.

Source: torch/csrc/jit/runtime/interpreter/preprocess_graph.cpp (`insertLastUses`).
"""

from __future__ import annotations

from typing import NamedTuple

from minits.ir.graph import Block, Graph, Node, Value


class LastUses(NamedTuple):
    """The values of a node's own block that nothing reads after the node.

    `of_inputs`: those that it takes as inputs, and its blocks do not read. `of_blocks`: those that
    its blocks read, and outputs that nothing uses; of a block's `param`, unused inputs of the block
    """

    of_inputs: dict[Node, list[Value]]
    of_blocks: dict[Node, list[Value]]


def last_uses(graph: Graph) -> LastUses:
    """Return the last uses of the values of a graph."""
    found = LastUses({}, {})
    _find(graph.block, found)
    return found


def _find(block: Block, found: LastUses) -> dict[Value, None]:
    """Find the last uses in a block; return the values of other blocks that it reads."""
    later: dict[Value, None] = {}
    outside: dict[Value, None] = {}
    for node in (block.end, *reversed(list(block.nodes)), block.param):
        inside = dict.fromkeys(node.outputs)
        for inner in node.blocks:
            inside |= _find(inner, found)
        for values, table in ((inside, found.of_blocks), (node.inputs, found.of_inputs)):
            for value in values:
                if value.node.owner is not block:
                    outside[value] = None
                elif value not in later:
                    later[value] = None
                    table.setdefault(node, []).append(value)
    return outside
