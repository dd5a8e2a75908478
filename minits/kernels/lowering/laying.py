"""Strides of the values of a group, for the inputs of one call, as in eager.

    x: [4, 6] strides (1, 4)        group(x, y)
    y: [4, 6] strides (6, 1)          %1 = sin(x)            (1, 4)
                                      %2 = add(%1, %1)       (1, 4)
                                      %3 = cos(y)            (6, 1)
                                      return (%2, %3)

Eager decides operator by operator, so the group's graph is gone through once for each combination
of shapes and strides that a kernel is bound for. Most operators are ATen's loops over elements, of
which `ops/eager_strides.py` knows the rules; `stride_rules.py` has those of the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

from minits.bounded_cache import BoundedCache
from minits.ir.graph import Graph, Value
from minits.ir.in_place import is_marked
from minits.kernels.lowering.lowerer import Lowerer
from minits.kernels.lowering.promotion import Shape
from minits.kernels.lowering.result import NotFusable
from minits.kernels.lowering.row import At, Lowering
from minits.kernels.lowering.stride_rules import Laid, contiguous, elementwise_loop, seen
from minits.ops.eager_strides import (
    Lying,
    contiguous_strides,
    in_order,
)
from minits.records import replace
from minits.types import types as t
from minits.types.tensor_meta import TensorMeta

MOST_ORDERS = 16
"""Orders of the inputs' dimensions for which those of the results are remembered."""
Order = tuple[int, ...]
Lie = tuple[bool, Order]
"""Whether a tensor has gaps, and the order of its dimensions, slowest first."""


class Layouts:
    """The layouts of a group's values for inputs of this metadata. `dtypes`: of the values."""

    def __init__(
        self,
        table: Mapping[str, Lowering],
        graph: Graph,
        metas: Sequence[TensorMeta | None],
        dtypes: Mapping[Value, torch.dtype],
    ) -> None:
        self.lowerer = Lowerer(table, dict(zip(graph.inputs, metas, strict=True)))
        self.dtypes = dtypes
        self._known: dict[Value, Laid] = {}

    def of(self, value: Value) -> Laid:
        """Return the layout of a tensor. Raises NotFusable, RuntimeError where eager may raise."""
        found = self._known.get(value)
        if found is None:
            found = self._known[value] = self._find(value)
        return found

    def _find(self, value: Value) -> Laid:
        lowerer, node = self.lowerer, value.node
        if value in lowerer.leaves:
            meta = lowerer.meta(value)
            return Laid(Lying(meta.shape, meta.strides), value)
        if node.kind == "prim::Constant":
            return Laid(Lying((), ()), value)
        row = lowerer.row(node)
        if row.views is not None:
            viewed, views = lowerer.viewed(value)
            return seen(self.of(viewed), views, may_copy=node.kind == "aten::reshape")
        at = lowerer.at(node, value.index)
        if is_marked(node):
            return Laid(self.first(at).lying, value)
        rule = row.strides or (contiguous if row.is_row else elementwise_loop)
        made = rule(self, at, lowerer.shape(value))
        return made if isinstance(made, Laid) else Laid(Lying(lowerer.shape(value), made), value)

    def first(self, at: At) -> Laid:
        return self.of(at.node.inputs[0])

    def operands(self, at: At) -> list[Value]:
        """The tensors among the arguments, and the numbers that eager makes tensors of.

        These are the ones that stand where an overload of the operator takes a tensor.
        """
        names = [at.argument(name) for name in ("self", "other")]
        return [
            value
            for value in at.node.inputs
            if value.type == t.TENSOR or (value in names and value.type != t.NONE)
        ]


class Arrangement:
    """The layouts of the tensors that a group makes, worked out for each new layout of its inputs.

    It is remembered in which orders the dimensions of the results lie: it depends on those of the
    inputs, on which of these have gaps, and on which sizes are one, as the kernel itself does. With
    views among the operators it is so where inputs are contiguous: whether `reshape` copies others
    depends on all sizes.
    """

    def __init__(
        self,
        table: Mapping[str, Lowering],
        graph: Graph,
        metas: Sequence[TensorMeta | None],
        dtypes: Mapping[Value, torch.dtype],
    ) -> None:
        self._given = table, graph, dtypes
        self._metas = metas
        rows = [table[node.kind] for node in graph.all_nodes() if node.kind in table]
        self.depends_on_sizes = any(row.laid_by_parts or row.views is not None for row in rows)
        """Whether more matters of inputs that are not contiguous."""
        self._orders: BoundedCache[tuple[Lie, ...], list[list[int]]] = BoundedCache(MOST_ORDERS)

    def anew(self) -> Arrangement:
        """Return the arrangement of a kernel that makes other tensors besides."""
        return Arrangement(*self._given[:2], self._metas, self._given[2])

    def strides(
        self,
        tensors: Sequence[torch.Tensor | None],
        outputs: Sequence[int],
        shapes: Sequence[Shape],
    ) -> list[Shape]:
        """Return the strides of the tensors that are made for a call's inputs.

        `outputs` say for each output of the graph which of the made tensors it is, `shapes` are
        those of the made tensors. What is no output is contiguous. Raises NotFusable and
        RuntimeError where eager may raise, or give other tensors.
        """
        key = None if any(0 in shape for shape in shapes) else self._key(tensors)
        if key is None:
            return self._strides(tensors, outputs, shapes)
        orders = self._orders.get(key)
        if orders is None:
            found = self._strides(tensors, outputs, shapes)
            orders = [descending(strides) for strides in found]
            if [in_order(*each) for each in zip(shapes, orders, strict=True)] == found:
                self._orders.put(key, orders)
            return found
        return [in_order(*each) for each in zip(shapes, orders, strict=True)]

    def _key(self, tensors: Sequence[torch.Tensor | None]) -> tuple[Lie, ...] | None:
        """Return the orders of the inputs' dimensions; None where the results depend on more."""
        key = []
        for tensor in tensors:
            lie = (False, ()) if tensor is None else _lie_of(tensor)
            if lie is None or (self.depends_on_sizes and not _is_plain(lie)):
                return None
            key.append(lie)
        return tuple(key)

    def _strides(
        self,
        tensors: Sequence[torch.Tensor | None],
        outputs: Sequence[int],
        shapes: Sequence[Shape],
    ) -> list[Shape]:
        table, graph, dtypes = self._given
        metas = [
            None if meta is None or tensor is None
            else replace(meta, shape=tuple(tensor.shape), strides=tensor.stride())
            for meta, tensor in zip(self._metas, tensors, strict=True)
        ]  # fmt: skip
        layouts = Layouts(table, graph, metas, dtypes)
        laid = [layouts.of(value) for value in graph.outputs]
        made: dict[int, Laid] = {}
        for index, each in zip(outputs, laid, strict=False):
            if made.setdefault(index, each).base is not each.base:
                raise NotFusable("view", "two results are one tensor, or a tensor and its copy")
        if len({id(each.base) for each in made.values()}) < len(made):
            raise NotFusable("view", "two results share their memory")
        known = {index: each.lying for index, each in made.items()}
        if any(lying.shape != shapes[index] for index, lying in known.items()):
            raise NotFusable("shape", "the results have other shapes in eager")
        return [
            known[index].strides if index in known else contiguous_strides(shape)
            for index, shape in enumerate(shapes)
        ]


class Settled(Arrangement):
    """The layouts of tensors whose dimensions lie in known orders, slowest first."""

    def __init__(self, orders: Sequence[Sequence[int]]) -> None:
        self.depends_on_sizes = False
        self._settled = orders

    def strides(
        self,
        tensors: Sequence[torch.Tensor | None],
        outputs: Sequence[int],
        shapes: Sequence[Shape],
    ) -> list[Shape]:
        """Return the strides of tensors of these shapes."""
        return [in_order(*each) for each in zip(shapes, self._settled, strict=True)]


def order_without_gaps(tensor: torch.Tensor) -> Order | None:
    """Return the dimensions of a tensor, slowest first; None if its memory has gaps or overlaps."""
    shape, strides = tensor.shape, tensor.stride()
    order = descending(strides)
    return tuple(order) if 0 not in shape and in_order(shape, order) == strides else None


def _lie_of(tensor: torch.Tensor) -> Lie | None:
    """Return the lie of a tensor; None if it overlaps, or has gaps and dimensions of size one."""
    order = order_without_gaps(tensor)
    if order is not None:
        return False, order
    strides, least = tensor.stride(), 1
    order = tuple(descending(strides))
    for dim in reversed(order):
        if tensor.shape[dim] < 2 or strides[dim] < least:
            return None
        least = strides[dim] * tensor.shape[dim]
    return True, order


def _is_plain(lie: Lie) -> bool:
    has_gaps, order = lie
    return not has_gaps and order == tuple(range(len(order)))


def descending(strides: Shape) -> list[int]:
    """Return the dimensions of a tensor by its strides, those that are largest first."""
    return sorted(range(len(strides)), key=strides.__getitem__, reverse=True)
