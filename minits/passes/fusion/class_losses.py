"""Split the cross entropy of classes into parts that are a kernel each.

Before:
    %l : Tensor = aten::cross_entropy_loss(%x, %target, %none, %mean, %ignored, %zero)
After:
    %each : Tensor = aten::cross_entropy_loss(%x, %target, %none, %no, %ignored, %zero)
    %kept : Tensor = aten::ne(%target, %ignored)
    %total : Tensor = aten::sum(%each, %none)
    %count : Tensor = aten::sum(%kept, %none)
    %l : Tensor = aten::div(%total, %count)

since the loss of each row [N, C] and the mean of these [N] reduce unlike shapes. Where classes have
weights, `%count` is the sum of the targets' weights, which `aten::nll_loss_nd` looks up. Where the
targets are probabilities, it is the number of rows. `aten::nll_loss_nd` of what `aten::log_softmax`
gives is the cross entropy. In half types, sums are float32. That targets are classes is checked by
the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from minits.ir.alias import AliasAnalysis
from minits.ir.constants import insert_constant, to_python
from minits.ir.graph import Graph, Node, Value
from minits.kernels.lowering import LOWERINGS, can_fuse
from minits.kernels.scalar_ops.row import computed_in
from minits.ops.eager_strides import contiguous_strides
from minits.records import dataclass, replace
from minits.types import types as t
from minits.types.dtypes import DTYPE_CODES
from minits.types.tensor_meta import TensorMeta

NONE, MEAN, SUM = 0, 1, 2
_LOSSES = ("aten::cross_entropy_loss", "aten::nll_loss_nd")


def split_class_losses(graph: Graph, metas: dict[Value, TensorMeta]) -> bool:
    """Return whether the graph changed. Adds to `metas` those of new values."""
    changed = False
    for node in list(graph.all_nodes()):
        if node.kind in _LOSSES:
            changed |= _split(graph, metas, node)
    return changed


def _split(graph: Graph, metas: dict[Value, TensorMeta], node: Node) -> bool:
    """Replace a loss, unless there is no kernel for that of each row."""
    reduction, loss = to_python(node.inputs[3]), _loss_of(graph, metas, node)
    if loss is None or reduction not in (NONE, MEAN, SUM):
        return False
    refusal = can_fuse(node, metas.get)
    if refusal is not None and (refusal.code == "too-small" or not loss.rows):
        return False
    with graph.inserting_at(node):
        parts = _Parts(graph, metas, node, loss)
        each = parts.of_rows()
        if can_fuse(each.node, metas.get) is not None:
            each.node.destroy()
            return False
        result = parts.reduced(each, reduction)
    node.output.replace_all_uses_with(result)
    maker = node.inputs[0].node
    node.destroy()
    if maker is not loss.x.node:
        maker.destroy()
    return True


@dataclass(frozen=True, slots=True)
class _Loss:
    """A loss of `kind` of the scores `x`. `rows` is the shape of the losses of each.

    `smoothing` is the operand of that name; None where the loss has none.
    """

    kind: str
    x: Value
    given: TensorMeta
    rows: tuple[int, ...]
    of_classes: bool
    smoothing: Value | None = None


def _loss_of(graph: Graph, metas: dict[Value, TensorMeta], node: Node) -> _Loss | None:
    x, target = node.inputs[0], metas.get(node.inputs[1])
    kind = node.kind.removeprefix("aten::")
    meta = metas.get(x)
    if meta is None or target is None or not meta.shape:
        return None
    smoothing = node.inputs[5] if kind == "cross_entropy_loss" else None
    if kind == "nll_loss_nd" and _is_log_softmax(graph, x, meta.rank):
        kind, x = "cross_entropy_loss", x.node.inputs[0]
        meta = metas.get(x)
        if meta is None or not meta.dtype.is_floating_point:
            return None
    elif kind == "nll_loss_nd" and not _is_computed(x):
        return None
    rows = meta.shape[:1] + meta.shape[2:] if meta.rank > 1 else ()
    return _Loss(kind, x, meta, rows, target.shape != meta.shape, smoothing)


def _is_log_softmax(graph: Graph, value: Value, rank: int) -> bool:
    """Return whether a value is computed for a loss alone, over classes of an unchanged tensor."""
    maker = value.node
    if maker.kind != "aten::log_softmax" or len(value.uses) > 1:
        return False
    dim = to_python(maker.inputs[1])
    return (
        isinstance(dim, int)
        and dim % rank == min(1, rank - 1)
        and to_python(maker.inputs[2]) is None
        and not AliasAnalysis(graph).has_writers(maker)
    )


def _is_computed(value: Value) -> bool:
    row = LOWERINGS.get(value.node.kind)
    return row is not None and row.views is None and not row.is_view


class _Parts:
    """Writes the parts of one loss where it stands."""

    def __init__(
        self, graph: Graph, metas: dict[Value, TensorMeta], node: Node, loss: _Loss
    ) -> None:
        self.graph = graph
        self.metas = metas
        self.node = node
        self.loss = loss
        self.given = loss.given
        _, self.target, self.weight, _, self.ignored = node.inputs[:5]

    @property
    def is_weighted(self) -> bool:
        return to_python(self.weight) is not None

    def of_rows(self) -> Value:
        inputs: list[Any] = [self.loss.x, self.target, self.weight, NONE, self.ignored]
        if self.loss.kind == "cross_entropy_loss":
            inputs.append(0.0 if self.loss.smoothing is None else self.loss.smoothing)
        needs = self.given.requires_grad or self.metas[self.target].requires_grad
        return self._emit(self.loss.kind, inputs, self.given.dtype, self.loss.rows, needs)

    def reduced(self, each: Value, reduction: int) -> Value:
        """Return the mean or sum of all rows, computed in float32 for half types."""
        if reduction == NONE:
            return each
        dtype = self.given.dtype
        wide = computed_in(dtype)
        needs = self.metas[each].requires_grad
        result = self._total(each, needs)
        if reduction == MEAN:
            count = self._count() if self.loss.of_classes else self._number_of_rows(each)
            result = self._emit("div", [result, count], wide, (), needs)
        elif self.loss.of_classes and self._is_smoothed():
            result = self._not_a_number_of_no_classes(result, wide, needs)
        if wide != dtype:
            inputs = [result, DTYPE_CODES[dtype], False, False, None]
            result = self._emit("to", inputs, dtype, (), needs)
        return result

    def _total(self, each: Value, needs: bool = False) -> Value:
        wide = computed_in(self.given.dtype)
        code = None if wide == self.given.dtype else DTYPE_CODES[wide]
        return self._emit("sum", [each, code], wide, (), needs)

    def _is_smoothed(self) -> bool:
        smoothing = self.loss.smoothing
        return smoothing is not None and to_python(smoothing) != 0

    def _number_of_rows(self, each: Value) -> Value:
        """Return the number of rows that have classes: eager's mean over none of these is NaN."""
        rows = self._number("aten::numel", [each])
        return self._number("aten::mul", [rows, self._one_or_none(self.target)])

    def _not_a_number_of_no_classes(self, sum: Value, dtype: torch.dtype, needs: bool) -> Value:
        """Return a sum, or NaN where there are no classes: to smooth, eager divides by them."""
        one_or_none = self._one_or_none(self.loss.x)
        product = self._emit("mul", [sum, one_or_none], dtype, (), needs)
        return self._emit("div", [product, one_or_none], dtype, (), needs)

    def _one_or_none(self, scores: Value) -> Value:
        """Return the number of classes, or 1 if there are more."""
        dim = self._value(min(1, len(self.given.shape) - 1))
        classes = self._number("aten::size", [scores, dim])
        return self._number("prim::min", [classes, self._value(1)])

    def _number(self, kind: str, inputs: Sequence[Value]) -> Value:
        return self.graph.emit(kind, inputs, [t.INT], loc=self.node.range).output

    def _count(self) -> Value:
        """Return the number of targets, or their weight; ignored ones do not count."""
        if not self.is_weighted:
            return self._emit(
                "sum", [self._flags("ne", [self.target, self.ignored]), None], torch.int64
            )
        inputs = [self._weights(), self.target, None, NONE, self.ignored]
        lost = self._emit("nll_loss_nd", inputs, self.given.dtype, self.loss.rows)
        return self._emit("neg", [self._total(lost)], computed_in(self.given.dtype))

    def _weights(self) -> Value:
        """The weights of the classes in the shape of the scores."""
        dtype, shape, row = self.given.dtype, self.given.shape, self.weight
        if len(shape) > 2:
            sizes = [1, -1, *[1] * (len(shape) - 2)]
            row = self._emit("view", [row, sizes], dtype, (1, shape[1], *sizes[2:]))
        rows = self._emit("expand_as", [row, self.loss.x], dtype, shape)
        strides = tuple([int(dim == min(1, len(shape) - 1)) for dim in range(len(shape))])
        self.metas[rows] = replace(self.metas[rows], strides=strides)
        return rows

    def _flags(self, kind: str, inputs: Sequence[Any]) -> Value:
        return self._emit(kind, inputs, torch.bool, self.loss.rows)

    def _emit(
        self,
        kind: str,
        inputs: Sequence[Any],
        dtype: torch.dtype,
        shape: tuple[int, ...] = (),
        requires_grad: bool = False,
    ) -> Value:
        """Insert an operator of values and constants; its result is contiguous."""
        values = [each if isinstance(each, Value) else self._value(each) for each in inputs]
        output = self.graph.emit(f"aten::{kind}", values, loc=self.node.range).output
        strides = contiguous_strides(shape)
        self.metas[output] = TensorMeta(dtype, self.given.device, shape, strides, requires_grad)
        return output

    def _value(self, constant: Any) -> Value:
        return insert_constant(self.graph, constant, loc=self.node.range)
