"""Cross entropies of classes in parts of which each is a kernel.

Before:
    %l : Tensor = aten::cross_entropy_loss(%x, %target, %none, %mean, %ignored, %zero)
After:
    %each : Tensor = aten::cross_entropy_loss(%x, %target, %none, %no, %ignored, %zero)
    %kept : Tensor = aten::ne(%target, %ignored)
    %total : Tensor = aten::sum(%each, %none)
    %count : Tensor = aten::sum(%kept, %none)
    %l : Tensor = aten::div(%total, %count)

since a loss for each row [N, C] and their mean [N] reduce unlike shapes. On CPUs, where eager
raises for a target that is no class, a check that raises follows. `aten::nll_loss` of what
`aten::log_softmax` gives is the same. In half types, sums are float32.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from minits.ir.alias import AliasAnalysis
from minits.ir.constants import insert_constant, to_python
from minits.ir.graph import Graph, Node, Value
from minits.kernels.facts import Fact
from minits.kernels.lowering import can_fuse
from minits.kernels.scalar_ops.row import computed_in
from minits.types import types as t
from minits.types.dtypes import DTYPE_CODES

NONE, MEAN, SUM = 0, 1, 2
FEWEST = 1 << 16
"""Elements from which on kernels, two for the loss and two for its gradient, beat torch."""
_OF_LOGARITHMS = ("aten::nll_loss", "aten::nll_loss_nd")


def split_class_losses(graph: Graph, facts: dict[Value, Fact]) -> bool:
    """Return whether the graph changed. Adds to `facts` those of new values."""
    changed = False
    for node in list(graph.all_nodes()):
        if node.kind == "aten::cross_entropy_loss" and to_python(node.inputs[5]) == 0:
            changed |= _split(graph, facts, node, node.inputs[0])
        elif node.kind in _OF_LOGARITHMS and _is_log_softmax(graph, node.inputs[0]):
            changed |= _split(graph, facts, node, node.inputs[0].node.inputs[0])
    return changed


def _is_log_softmax(graph: Graph, value: Value) -> bool:
    """Whether a value is computed for one loss alone, over the classes of an unchanged tensor."""
    maker = value.node
    return (
        maker.kind == "aten::log_softmax"
        and len(value.uses) == 1
        and to_python(maker.inputs[1]) in (1, -1)
        and to_python(maker.inputs[2]) is None
        and not AliasAnalysis(graph).has_writers(maker)
    )


def _split(graph: Graph, facts: dict[Value, Fact], node: Node, x: Value) -> bool:
    """Replace a loss of `x`, unless there is no kernel for that of each row."""
    reduction, fact = to_python(node.inputs[3]), facts.get(x)
    if fact is None or len(fact.shape) != 2 or reduction not in (NONE, MEAN, SUM):
        return False
    if reduction != NONE and math.prod(fact.shape) < FEWEST:
        return False
    with graph.inserting_at(node):
        parts = _Parts(graph, facts, node, fact)
        each = parts.of_rows(x)
        if can_fuse(each.node, facts.get) is not None:
            each.node.destroy()
            return False
        result = parts.reduced(each, reduction)
        if fact.device.type == "cpu":
            parts.check(x)
    node.output.replace_all_uses_with(result)
    maker = node.inputs[0].node
    node.destroy()
    if maker is not x.node:
        maker.destroy()
    return True


class _Parts:
    """Writes the parts of one loss where it stands."""

    def __init__(self, graph: Graph, facts: dict[Value, Fact], node: Node, given: Fact) -> None:
        self.graph = graph
        self.facts = facts
        self.node = node
        self.given = given
        _, self.target, self.weight, _, self.ignored = node.inputs[:5]

    def of_rows(self, x: Value) -> Value:
        inputs = [x, self.target, self.weight, 0, self.ignored, 0.0]
        return self._emit("cross_entropy_loss", inputs, self.given.dtype, self.given.shape[:1])

    def reduced(self, each: Value, reduction: int) -> Value:
        if reduction == NONE:
            return each
        dtype = self.given.dtype
        wide = computed_in(dtype)
        result = self._emit("sum", [each, None if wide == dtype else DTYPE_CODES[wide]], wide)
        if reduction == MEAN:
            kept = self._flags("ne", [self.target, self.ignored])
            count = self._emit("sum", [kept, None], torch.int64)
            result = self._emit("div", [result, count], wide)
        if wide != dtype:
            result = self._emit("to", [result, DTYPE_CODES[dtype], False, False, None], dtype)
        return result

    def check(self, x: Value) -> None:
        """Raise IndexError if a target is neither a class nor ignored."""
        graph, range = self.graph, self.node.range
        dim = self._value(1)
        classes = graph.emit("aten::size", [x, dim], [t.INT], range).output
        below = self._flags("lt", [self.target, 0])
        above = self._flags("ge", [self.target, classes])
        outside = self._flags("logical_or", [below, above])
        kept = self._flags("ne", [self.target, self.ignored])
        wrong = self._flags("logical_and", [outside, kept])
        any_wrong = self._emit("any", [wrong], torch.bool)
        condition = graph.emit("aten::Bool", [any_wrong], [t.BOOL], range).output
        branch = graph.emit("prim::If", [condition], [], range)
        with graph.inserting_at(branch.add_block()):
            text = self._value("Target is out of bounds.")
            kind = self._value("builtins.IndexError")
            graph.emit("prim::RaiseException", [text, kind], [], range)
        branch.add_block()

    def _flags(self, kind: str, inputs: Sequence[Any]) -> Value:
        return self._emit(kind, inputs, torch.bool, self.given.shape[:1])

    def _emit(
        self, kind: str, inputs: Sequence[Any], dtype: torch.dtype, shape: tuple[int, ...] = ()
    ) -> Value:
        """Insert an operator of values and constants; its result is contiguous."""
        values = [each if isinstance(each, Value) else self._value(each) for each in inputs]
        output = self.graph.emit(f"aten::{kind}", values, range=self.node.range).output
        requires_grad = self.given.requires_grad and dtype.is_floating_point
        strides = (1,) * len(shape)
        self.facts[output] = Fact(dtype, self.given.device, shape, strides, requires_grad)
        return output

    def _value(self, constant: Any) -> Value:
        return insert_constant(self.graph, constant, range=self.node.range)
