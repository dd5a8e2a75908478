"""Temporaries among the inputs of groups: only the plan has them, and nothing writes to them.

    %h : Tensor = aten::linear(%x, %w, %b)             new memory, which is returned by nothing
    %y : Tensor = prim::FusionGroup(%h, %gate)         so h stays as it is until the gradients

Whatever a gradient reads of them it may read later, too, and needs no copy of.
"""

from __future__ import annotations

from functools import cached_property

from minits.ir.alias import AliasAnalysis
from minits.ir.graph import Graph, Node, Value
from minits.types import types as t


class Temporaries:
    """The temporaries of a graph. Its aliases are computed at the first question."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    @cached_property
    def _alias(self) -> AliasAnalysis:
        return AliasAnalysis(self._graph)

    def among_inputs(self, group: Node) -> frozenset[int]:
        """Return the positions of the tensors among a group's inputs that are temporaries."""
        pairs = enumerate(group.inputs)
        return frozenset([i for i, x in pairs if x.type == t.TENSOR and self._is_temporary(x)])

    def _is_temporary(self, value: Value) -> bool:
        if value.node.kind == "prim::Constant":
            return False  # all calls have the same tensor
        return not (self._alias.escapes(value) or self._alias.is_written(value))
