"""Operators that move elements: what they give is what lies elsewhere, or a number.

    y = torch.roll(x, 2, 0)      v0 = position(0)                    index of y along dimension 0
                                 v1 = v0 - 2, + length(x, 0) below zero
                                 v2 = look_up(x)(v1)

    y = torch.tril(x)            v0 = where(position(-1) <= position(-2), load 0, 0)

Positions are read off the loops of the kernel, so dimensions along which they are asked for are not
merged with others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering import stride_rules as rules
from minits.kernels.lowering.checks import fitting
from minits.kernels.lowering.promotion import Shape
from minits.kernels.lowering.result import Extent, View
from minits.kernels.lowering.row import At, Lowering, of_first

Moved = Callable[[At, Scalar, Scalar, int], Scalar]
"""`(at, position, length, number)` to the index that is read along the dimension of that number."""


def _moved(at: At, dims: Sequence[int], move: Moved, extents: Sequence[Extent]) -> Scalar:
    """Return the elements at other indices along some dimensions, which must differ."""
    table = table_of(at, dims, extents)
    rank, k = at.rank(), at.k
    indices = [
        move(at, at.position(dim - rank), k.length(table, number), number)
        for number, dim in enumerate(dims)
    ]
    return k.look_up(table, *indices)


def table_of(at: At, dims: Sequence[int], extents: Sequence[Extent]) -> int:
    """Return the first argument as a table of which these dimensions are looked up."""
    rank = at.rank()
    order = [*dims, *[dim for dim in range(rank) if dim not in dims]]
    views = [View("aten::permute", (tuple(order),))]
    views += [View("aten::unsqueeze", (len(dims) + dim,)) for dim in sorted(dims)]
    return at.table("self", len(dims), *views, extents=extents)


def _same_extents(at: At, dims: Sequence[int]) -> list[Extent]:
    return [Extent(dim - at.rank(), number, 1, 0) for number, dim in enumerate(dims)]


# ---- Other orders --------------------------------------------------------------------------------


def _flip(find: Callable[[At], Sequence[int]]) -> Lowering:
    def emit(at: At) -> Scalar:
        dims = [dim for dim in find(at) if at.shape("self")[dim] != 1]
        if not dims:
            given = at.operand("self")
            return given.to(at.k, given.dtype)
        return _moved(at, dims, _from_the_end, _same_extents(at, dims))

    return Lowering(emit, of_first, strides=rules.like_first)


def _from_the_end(at: At, position: Scalar, length: Scalar, number: int) -> Scalar:
    return at.k("sub", at.k("sub", length, at.k.constant(1, torch.int64)), position)


def _dims(at: At) -> list[int]:
    rank = at.rank()
    dims = [dim % max(rank, 1) for dim in at.constant("dims")]
    if len(set(dims)) < len(dims) or (dims and not rank):
        raise at.refuse("shape", f"along dimensions {dims} of {rank}")
    return sorted(dims)


def _one_dim(dim: int) -> Callable[[At], Sequence[int]]:
    def find(at: At) -> list[int]:
        if at.rank() <= dim:
            raise at.refuse("shape", f"of {at.rank()} dimensions")
        return [dim]

    return find


def _roll(at: At) -> Scalar:
    rank = at.rank()
    given = at.constant("dims")
    if not given or not rank or len({dim % rank for dim in given}) < len(given):
        raise at.refuse("shape", "of all elements as one row, or twice along one dimension")
    shifts = dict(zip([dim % rank for dim in given], at.constant("shifts"), strict=True))
    dims = [dim for dim in sorted(shifts) if at.shape("self")[dim] != 1]
    if not dims:
        value = at.operand("self")
        return value.to(at.k, value.dtype)

    k, table = at.k, table_of(at, dims, _same_extents(at, dims))
    looked_at = []
    for number, dim in enumerate(dims):
        length = k.length(table, number)
        shift = k("remainder", k.constant(shifts[dim], torch.int64), length)
        before = k("sub", at.position(dim - rank), shift)
        is_below = k("lt", before, k.constant(0, torch.int64))
        looked_at.append((is_below, k("add", before, length), before))
    if dims[-1] < rank - 1:
        return k.look_up(table, *[k("where", *index) for index in looked_at])
    *outer, (is_below, around, before) = looked_at
    indices = [k("where", *index) for index in outer]
    is_there = k("logical_not", is_below)
    first = k.look_up(table, *indices, around, is_below)
    return k("where", is_below, first, k.look_up(table, *indices, before, is_there))


# ---- More elements -------------------------------------------------------------------------------


def _pad(at: At) -> Scalar:
    """The number that is given, but for the indices that the tensor has.

    Along the last dimension nothing is read beside the tensor. A row that is beside it along
    another dimension has no such indices: its length is taken for zero.
    """
    pads, k = _pads(at), at.k
    rank, dims = at.rank(), [dim for dim, pad in enumerate(_pads(at)) if pad != (0, 0)]
    if not dims:
        given = at.operand("self")
        return given.to(k, given.dtype)
    extents = [Extent(dim - rank, number, 1, sum(pads[dim])) for number, dim in enumerate(dims)]
    table = table_of(at, dims, extents)
    zero, is_inside = k.constant(0, torch.int64), k.constant(True, torch.bool)
    operands: list[Scalar] = []
    for number, dim in enumerate(dims):
        before = k.constant(pads[dim][0], torch.int64)
        index, length = k("sub", at.position(dim - rank), before), k.length(table, number)
        is_last = dim == rank - 1
        if is_last and number:
            length = k("where", is_inside, length, zero)
        is_index = k("logical_and", k("ge", index, zero), k("lt", index, length))
        operands += [index, is_index] if is_last else [k("where", is_index, index, zero)]
        is_inside = is_index if is_last else k("logical_and", is_inside, is_index)
    found = k.look_up(table, *operands)
    filled = fitting(at, at.operand("value"), found.dtype) if at.has("value") else zero
    return k("where", is_inside, found, k.cast(filled, found.dtype))


def _pads(at: At) -> list[tuple[int, int]]:
    """Return the number of elements before and behind each dimension's own."""
    if at.constant("mode", "constant") != "constant":
        raise at.refuse("not-elementwise", "with other elements of the tensor has no kernel")
    pad, rank = at.constant("pad"), at.rank()
    if len(pad) % 2 or len(pad) > 2 * rank:
        raise at.refuse("shape", f"of {rank} dimensions by {pad}")
    pairs = [(pad[first], pad[first + 1]) for first in range(0, len(pad), 2)]
    return [(0, 0)] * (rank - len(pairs)) + pairs[::-1]


def _padded(at: At) -> Shape:
    shape = tuple([
        size + sum(pad) for size, pad in zip(at.shape("self"), _pads(at), strict=True)
    ])  # fmt: skip
    if any(size < 0 for size in shape):
        raise at.refuse("shape", f"to shape {shape}")
    return shape


def _repeat(at: At) -> Scalar:
    """`x.repeat`: dimensions of size one are broadcast, the indices of others begin anew."""
    shape, times = _times(at)
    more, rank = len(times) - len(shape), len(times)
    if any(size != 1 and count != 1 for size, count in zip(shape, times[more:], strict=True)):
        return _repeated_anew(at)
    sizes = [
        count if dim < more or shape[dim - more] == 1 else -1 for dim, count in enumerate(times)
    ]
    views = [View("aten::unsqueeze", (0,))] * more + [View("aten::expand", (tuple(sizes),))]
    given = at.operand("self", *views) if rank else at.operand("self")
    return given.to(at.k, given.dtype)


def _repeated_anew(at: At) -> Scalar:
    shape, times = _times(at)
    rank = len(shape)
    if len(times) != rank or (times[-1] != 1 and shape[-1] != 1):
        raise at.refuse("view", "along the last dimension, or a new one, has no kernel")
    dims = [dim for dim in range(rank) if times[dim] != 1]
    extents = [Extent(dim - rank, number, times[dim], 0) for number, dim in enumerate(dims)]

    def anew(at: At, position: Scalar, length: Scalar, number: int) -> Scalar:
        return at.k("remainder", position, length)

    return _moved(at, dims, anew, extents)


def _times(at: At) -> tuple[Shape, list[int]]:
    """Return the shape of the tensor, and how often each dimension of the result has it."""
    shape = at.shape("self")
    times = at.constant("repeats" if at.argument("repeats") is not None else "dims")
    if at.node.kind == "aten::tile":
        times = [1] * (len(shape) - len(times)) + times
    if len(times) < len(shape) or any(count < 1 for count in times):
        raise at.refuse("shape", f"of shape {shape} by {times}")
    return shape, times


def _repeated(at: At) -> Shape:
    shape, times = _times(at)
    whole = (1,) * (len(times) - len(shape)) + shape
    return tuple([size * count for size, count in zip(whole, times, strict=True)])


def _one_hot(at: At) -> Scalar:
    """One where the position is the class; a class that is none fails a check."""
    k, count, rank = at.k, at.constant("num_classes"), at.rank()
    views = [View("aten::unsqueeze", (rank,)), View("aten::expand", ((-1,) * rank + (count,),))]
    given = at.operand("self", *views)
    if given.dtype != torch.int64:
        raise at.refuse_dtype(given.dtype)
    value = given.to(k, torch.int64)
    is_above = k("ge", value, k.constant(0, torch.int64))
    is_class = k("logical_and", is_above, k("lt", value, k.constant(count, torch.int64)))
    return k.cast(k("eq", k("checked", value, is_class), at.position(-1)), torch.int64)


def _classes(at: At) -> Shape:
    count = at.constant("num_classes")
    if count < 1:
        raise at.refuse("not-constant", "of classes that are not counted")
    return (*at.shape("self"), count)


# ---- Triangles -----------------------------------------------------------------------------------


def _triangle(compare: str) -> Lowering:
    """The elements of which `column - row` compares so with the diagonal, else zero."""

    def emit(at: At) -> Scalar:
        given, k = at.operand("self"), at.k
        diagonal = at.operand("diagonal").to(k, torch.int64)
        is_kept = k(compare, at.position(-1), k("add", at.position(-2), diagonal))
        zero = k.constant(0, given.dtype)
        return k("where", is_kept, given.to(k, given.dtype), zero)

    def shape(at: At) -> Shape:
        if at.rank() < 2:
            raise at.refuse("shape", f"of {at.rank()} dimensions")
        return at.shape("self")

    return Lowering(emit, shape, strides=rules.contiguous)


MOVES: dict[str, Lowering] = {
    "aten::flip": _flip(_dims),
    "aten::fliplr": _flip(_one_dim(1)),
    "aten::flipud": _flip(_one_dim(0)),
    "aten::roll": Lowering(_roll, of_first, strides=rules.rolled, laid_by_parts=True),
    "aten::pad": Lowering(_pad, _padded, strides=rules.like_image),
    "aten::constant_pad_nd": Lowering(_pad, _padded, strides=rules.like_image),
    "aten::repeat": Lowering(_repeat, _repeated, strides=rules.contiguous),
    "aten::tile": Lowering(_repeat, _repeated, strides=rules.contiguous),
}
"""Operators that look up where their elements come from."""

INDEX_MAPS: dict[str, Lowering] = {
    **MOVES,
    "aten::one_hot": Lowering(_one_hot, _classes, strides=rules.contiguous),
    "aten::tril": _triangle("le"),
    "aten::triu": _triangle("ge"),
}
