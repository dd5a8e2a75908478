"""Lengths that a condition has compared with a constant are that constant where it holds.

Before:
    %n : int = aten::len(%x)
    %c : bool = aten::eq(%n, %two)
    %z : int = prim::If(%c)
      block0():
        %m : int = aten::len(%x)
        -> (%m)
      ...
After (every use of %m now uses %k):
      block0():
        %k : int = prim::Constant[value=2]()
        -> (%k)

Of lists, dicts and strings that nobody writes to.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/peephole_list_idioms.cpp (`ListLenRefiner`).
Differs: torch refines the lengths of lists alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from minits.ir.alias import AliasAnalysis
from minits.ir.constants import insert_constant
from minits.ir.graph import Graph, Node, Value
from minits.passes.refinement.conditions import Refinements, Refiner
from minits.types import types as t


def refine_lengths(graph: Graph) -> bool:
    """Return whether the graph changed."""
    asked = Counter(
        node.inputs[0] for node in graph.nodes_of_kind("aten::len") if _has_length(node.inputs[0])
    )
    often = [value for value, times in asked.items() if times > 1]
    if not often:
        return False
    alias = AliasAnalysis(graph)
    return _Lengths({value for value in often if not alias.is_written(value)}).run(graph)


def _has_length(value: Value) -> bool:
    return isinstance(value.type, (t.ListType, t.DictType)) or value.type == t.STR


class _Lengths(Refiner):
    def __init__(self, unchanged: set[Value]) -> None:
        super().__init__()
        self.unchanged = unchanged
        """The lists, dicts and strings that nobody writes to, and of which more than one asks."""

    def subject(self, number: Value) -> Value | None:
        node = number.node
        is_length = node.kind == "aten::len" and node.inputs[0] in self.unchanged
        return node.inputs[0] if is_length else None

    def use(self, node: Node) -> None:
        if node.kind != "aten::len":
            return
        length = self.known(node.inputs[0])
        if length is not None and node.output.uses:
            with node.graph.inserting_at(node):
                node.output.replace_all_uses_with(insert_constant(node.graph, length))
            self.changed = True

    def after_branches(self, node: Node, ends: Sequence[Refinements]) -> None:
        """Leave an If as it is: what it gives is no list whose length was compared."""
