"""Making nodes in the place of one, for passes that write operators by others."""

from __future__ import annotations

from typing import Any

from minits.ir.constants import make_constant
from minits.ir.graph import Graph, Node, Value
from minits.types import types as t

GUARD = "raises_if"
"""The attribute of a node that raises or does nothing."""
Operand = Value | int | float | bool | str | None | list[Any]


class Builder:
    """Makes nodes in the place of one: `b("aten::mul", x, 2)` is the output of a new node."""

    def __init__(self, graph: Graph, node: Node) -> None:
        self._graph, self._node = graph, node

    def __call__(self, kind: str, *operands: Operand, type: t.Type = t.TENSOR) -> Value:
        """Insert a node, with constants for operands that are Python's, and return its output."""
        values = [self._value(operand) for operand in operands]
        return self._insert(self._graph.create(kind, values, [type])).output

    def raise_if(self, condition: str) -> None:
        """Insert what raises, under a condition of C, the error of the node that is replaced.

        The condition is one under which torch raises: `{0}` in it is the node's first input.
        """
        node = self._node
        types = [output.type for output in node.outputs]
        guard = self._insert(self._graph.create(node.kind, node.inputs, types))
        guard.attributes = dict(node.attributes)
        guard.set_attr(GUARD, "s", condition)

    def statement(self, kind: str, *operands: Operand) -> None:
        """Insert a node without outputs."""
        self._insert(self._graph.create(kind, [self._value(each) for each in operands], []))

    def _value(self, operand: Operand) -> Value:
        if isinstance(operand, Value):
            return operand
        if isinstance(operand, list):
            return self("prim::ListConstruct", *operand, type=t.ListType(t.INT))
        return self._insert(make_constant(self._graph, operand)).output

    def _insert(self, node: Node) -> Node:
        node.insert_before(self._node)
        node.range, node.callstack = self._node.range, self._node.callstack
        return node
