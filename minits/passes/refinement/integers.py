"""Integers that a condition has compared with a constant are that constant where it holds.

Before:
    %c : bool = aten::eq(%n, %two)
    %z : int = prim::If(%c)
      block0():
        %a : int = aten::mul(%n, %n)
        -> (%a)
      block1():
        -> (%n)
After:
      block0():
        %k : int = prim::Constant[value=2]()
        %a : int = aten::mul(%k, %k)
        -> (%a)

An If that gives the constant where the integer is equal to it, and the integer elsewhere, gives
the integer: `1 if n == 1 else n` is `n`.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/integer_value_refinement.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.ir.constants import insert_constant, to_python
from minits.ir.graph import Graph, Node, Value
from minits.passes.refinement.conditions import Refinements, Refiner
from minits.types import types as t


def refine_integers(graph: Graph) -> bool:
    """Return whether the graph changed."""
    return _Integers().run(graph)


class _Integers(Refiner):
    def subject(self, number: Value) -> Value | None:
        return number

    def use(self, node: Node) -> None:
        for value in dict.fromkeys(node.inputs):
            number = self.known(value) if value.type == t.INT else None
            if number is not None:
                self._put_in(node, value, number)

    def _put_in(self, node: Node, value: Value, number: int) -> None:
        with node.graph.inserting_at(node):
            constant = insert_constant(node.graph, number)
        for index, given in enumerate(node.inputs):
            if given is value:
                node.set_input(index, constant)
        self.changed = True

    def after_branches(self, node: Node, ends: Sequence[Refinements]) -> None:
        for index, output in enumerate(node.outputs):
            pair = [block.outputs[index] for block in node.blocks]
            for (constant, value), end in zip((pair, pair[::-1]), ends, strict=True):
                if output.uses and value in end and to_python(constant) == end[value]:
                    output.replace_all_uses_with(value)
                    self.changed = True
