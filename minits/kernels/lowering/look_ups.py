"""Look-ups: elements of a tensor at indices that are computed.

    y = F.embedding(indices, weight)      weight: [V, D], indices: [B, S]
                                          v0 = load 0                FULL   indices, [B, S, 1]
                                          v1 = length(weight, 0)            V
                                          v2 = checked(v0 if 0 <= v0 < V else 0)
                                          v3 = look_up(weight)(v2)   FULL   [B, S, D]

An index that is none fails a check, and eager's operator runs, which raises; on CUDA the kernel
asserts, as eager's does. What is looked up in is read where it lies: it is
an input of the group, or a view of one.

The gradient of a table would be scattered into it. Where one is recorded, look-ups are left to
torch, and the rest of the group is fused without them (`minits.codegen.groups`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import torch

from minits.ir.constants import to_python
from minits.ir.graph import Value
from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering import stride_rules as rules
from minits.kernels.lowering.promotion import Shape
from minits.kernels.lowering.result import View
from minits.kernels.lowering.row import At, Lowering
from minits.ops.broadcasting import broadcast_shapes
from minits.ops.eager_strides import Lying, elementwise
from minits.types import types as t

if TYPE_CHECKING:
    from minits.kernels.lowering.laying import Layouts


def safe_index(at: At, index: Scalar, table: int, dim: int, wraps: bool = False) -> Scalar:
    """Return an index of a looked up dimension, which is checked; below zero it may count back."""
    k = at.k
    length, zero = k.length(table, dim), k.constant(0, torch.int64)
    if wraps:
        index = k("where", k("lt", index, zero), k("add", index, length), index)
    is_index = k("logical_and", k("ge", index, zero), k("lt", index, length))
    return k("checked", k("where", is_index, index, zero), is_index)


def to_front(dim: int) -> tuple[View, View]:
    """Return the views that move a dimension before all others and leave one of size one behind."""
    return View("aten::unsqueeze", (0,)), View("aten::transpose", (0, dim + 1))


def index_at(at: At, value: Value, *views: View) -> Scalar:
    """Return a tensor of indices as int64. Raises `NotFusable`."""
    index = at.lowerer.operand(at, value, views)
    if index.dtype not in (torch.int32, torch.int64):
        raise at.refuse_dtype(index.dtype)
    return index.to(at.k, torch.int64)


def _behind(rank: int, count: int) -> list[View]:
    """Return the views that add so many dimensions of one behind the others."""
    return [View("aten::unsqueeze", (rank + dim,)) for dim in range(count)]


def _named(at: At, name: str) -> Value:
    value = at.argument(name)
    assert value is not None, f"{at.node.kind} has no {name}"
    return value


# ---- Of rows -------------------------------------------------------------------------------------


def _embedding(at: At) -> Scalar:
    rank = at.rank("indices")
    table = at.table("weight", 1)
    index = index_at(at, _named(at, "indices"), *_behind(rank, 1))
    return at.k.look_up(table, safe_index(at, index, table, 0))


def _embedded(at: At) -> Shape:
    if at.rank("weight") != 2:
        raise at.refuse("shape", "of a weight that is no matrix")
    return (*at.shape("indices"), at.shape("weight")[1])


def _index_select(at: At) -> Scalar:
    rank = at.rank()
    dim = at.dim("dim", rank)
    table = at.table("self", 1, *to_front(dim))
    index = index_at(at, _named(at, "index"), *_behind(1, rank - 1 - dim))
    return at.k.look_up(table, safe_index(at, index, table, 0))


def _selected(at: At) -> Shape:
    shape = at.shape("self")
    if not shape or at.rank("index") != 1:
        raise at.refuse("shape", "of a tensor, or by an index, without dimensions")
    dim = at.dim("dim", len(shape))
    return (*shape[:dim], *at.shape("index"), *shape[dim + 1 :])


# ---- Of elements ---------------------------------------------------------------------------------


def _gather(at: At) -> Scalar:
    name = "index" if at.argument("index") is not None else "indices"
    table = at.table("self", 1, *to_front(at.dim("dim", at.rank())))
    index = index_at(at, _named(at, name))
    return at.k.look_up(table, safe_index(at, index, table, 0))


def _gathered(at: At) -> Shape:
    shape, index = at.shape("self"), at.shape("index")
    if not shape or len(shape) != len(index):
        raise at.refuse("shape", f"of shape {shape} by {index}")
    dim = at.dim("dim", len(shape))
    if shape[:dim] + shape[dim + 1 :] != index[:dim] + index[dim + 1 :]:
        raise at.refuse("shape", "of a part of the tensor")
    return index


def _taken_along(at: At) -> Shape:
    shape, index = at.shape("self"), at.shape("indices")
    if not shape or len(shape) != len(index) or at.constant("dim") is None:
        raise at.refuse("shape", f"of shape {shape} by {index}")
    dim = at.dim("dim", len(shape))
    return broadcast_shapes((*shape[:dim], 1, *shape[dim + 1 :]), index)


def _take(at: At) -> Scalar:
    table = at.table("self", 1, View("aten::view", ((-1,),)))
    index = index_at(at, _named(at, "index"))
    return at.k.look_up(table, safe_index(at, index, table, 0, wraps=True))


def _index(at: At) -> Scalar:
    """`self[i, j]`; the indices broadcast; their dimensions replace the first indexed one."""
    first, indices = indices_of(at)
    count, rank = len(indices), at.rank()
    shapes = [at.lowerer.shape(index) for index in indices]
    looked = range(first, first + count)
    order = [*looked, *[dim for dim in range(rank) if dim not in looked]]
    mine = len(at.broadcast(list(indices)))
    rest = rank - count - first
    views = [View("aten::permute", (tuple(order),))]
    views += [View("aten::unsqueeze", (count + first,))] * mine
    table = at.table("self", count, *views)
    found = [
        safe_index(at, index_at(at, index, *_behind(len(shape), rest)), table, dim, wraps=True)
        for dim, (index, shape) in enumerate(zip(indices, shapes, strict=True))
    ]
    return at.k.look_up(table, *found)


def _indexed(at: At) -> Shape:
    first, indices = indices_of(at)
    shape = at.shape("self")
    index = at.broadcast(list(indices))
    return (*shape[:first], *index, *shape[first + len(indices) :])


def indices_of(at: At) -> tuple[int, Sequence[Value]]:
    """Return the first dimension that has an index, and the indices of neighbouring dimensions.

    Raises `NotFusable`.
    """
    maker = at.node.inputs[1].node
    if maker.kind != "prim::ListConstruct":
        raise at.refuse("not-constant", "takes a list whose length is not known")
    given = [dim for dim, value in enumerate(maker.inputs) if _is_given(value)]
    if not given or any(two != one + 1 for one, two in pairwise(given)):
        raise at.refuse("view", "by indices of dimensions that are no neighbours")
    if given[-1] >= at.rank():
        raise at.refuse("shape", "by more indices than there are dimensions")
    return given[0], [maker.inputs[dim] for dim in given]


def _is_given(value: Value) -> bool:
    return value.type != t.NONE and to_python(value) is not None


def _strides_of_indexed(layouts: Layouts, at: At, shape: Shape) -> Shape:
    """Computed of the tensor, which stands still where it is indexed, and of the indices.

    Source: ATen/native/TensorAdvancedIndexing.cpp (AdvancedIndex, make_index_iterator)
    """
    first, indices = indices_of(at)
    lying, laid = layouts.first(at).lying, [layouts.of(index).lying for index in indices]
    whole = broadcast_shapes(*[each.shape for each in laid])
    behind = first + len(indices)
    strides = (*lying.strides[:first], *[0] * len(whole), *lying.strides[behind:])
    operands = [Lying(shape, strides)]
    for each in laid:
        index = torch.empty_strided(each.shape, each.strides, device="meta").expand(whole)
        index = index.reshape((1,) * first + whole + (1,) * (len(lying.shape) - behind))
        operands.append(Lying(tuple(index.shape), index.stride()))
    return elementwise(operands, shape)


def _looked_up(emit: Callable[[At], Scalar], shape: Callable[[At], Shape]) -> Lowering:
    return Lowering(emit, shape, strides=rules.contiguous)


LOOK_UPS: dict[str, Lowering] = {
    "aten::embedding": _looked_up(_embedding, _embedded),
    "aten::index_select": _looked_up(_index_select, _selected),
    "aten::gather": _looked_up(_gather, _gathered),
    "aten::take_along_dim": _looked_up(_gather, _taken_along),
    "aten::take": _looked_up(_take, lambda at: at.shape("index")),
    "aten::index": Lowering(_index, _indexed, strides=_strides_of_indexed, laid_by_parts=True),
}
"""Operators that look up; `minits.codegen.groups` leaves them out where gradients are recorded."""
