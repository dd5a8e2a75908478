"""Causes that keep several operators out of kernels: the first of a chain of operators.

%y : Tensor = aten::to(%x, %dtype)       the cause: its dtype depends on a number
%z : Tensor = aten::mul(%y, %two)        nothing is known of %y
%r : Tensor = aten::relu(%z)             nothing is known of %z, which follows from it
"""

from __future__ import annotations

from collections.abc import Iterator

from minits.ir.graph import Node, Value
from minits.passes.fusion.subgraph import StraightLineRegion
from minits.types import types as t

OF_OPERANDS = ("dtype", "device")
"""Codes of refusals that an operator hands on to those that read its result."""


class Causes:
    """Finds the causes of a region's refusals. What was found is kept: chains are long."""

    def __init__(self, region: StraightLineRegion) -> None:
        self.region = region
        self._unknown: dict[Value, Value] = {}
        self._refused: dict[Node, Node] = {}

    def first_unknown(self, value: Value) -> Value:
        """Return the value from which it follows that nothing is known of this one."""
        way = [value]
        while way[-1] not in self._unknown:
            unknown = [each for each in _sources(way[-1]) if each not in self.region.metas]
            further = [each for each in unknown if each not in way]
            if not further:
                break
            way.append(further[0])
        first = self._unknown.get(way[-1], way[-1])
        self._unknown.update(dict.fromkeys(way, first))
        return first

    def first_refused(self, node: Node, code: str) -> Node:
        """Return the operator that hands on to this one why it is refused: itself, if none does.

        Operators are asked about in their order.
        """
        makers = [leaf.node for leaf in self.region.leaves_of(node) if leaf.type == t.TENSOR]
        refused = [maker for maker in makers if self._is_refused(maker, code)]
        first = self._refused.get(refused[0], refused[0]) if refused else node
        return self._refused.setdefault(node, first)

    def _is_refused(self, node: Node, code: str) -> bool:
        refusal = self.region.refusals.get(node)
        return refusal is not None and refusal.code == code


def _sources(value: Value) -> Iterator[Value]:
    """Yield the tensors that a value is computed from, or that it may be."""
    node = value.node
    given: list[Value] = []
    if node.kind == "prim::Param":
        owner = node.owner.owning_node
        if owner is not None and owner.kind == "prim::Loop" and value.index > 0:
            given = [owner.inputs[value.index + 1], owner.blocks[0].outputs[value.index]]
    elif node.kind == "prim::If":
        given = [block.outputs[value.index] for block in node.blocks]
    elif node.kind == "prim::Loop":
        given = [node.blocks[0].outputs[value.index + 1]]
    else:
        given = list(node.inputs)
    for each in given:
        if each.type == t.TENSOR:
            yield each
        elif each.node.kind == "prim::ListConstruct":
            yield from (item for item in each.node.inputs if item.type == t.TENSOR)
