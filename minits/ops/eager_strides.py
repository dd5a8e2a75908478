"""Strides of the results of torch's operators: the rules by which eager chooses them.

    x: [3, 4] strides (1, 3)      x + 1        (1, 3)     the order of the operands' memory
    x: [3, 4] strides (8, 2)      x + 1        (4, 1)     without the gaps
    x: [3, 1] strides (1, 7)      x.sin()      (1, 1)     contiguous already
                                  x + 1        (1, 3)     not so beside a number

Values are `Lying`: shape and strides, without data.

Source: ATen/TensorIterator.cpp (compute_fast_setup_type, reorder_dimensions, compatible_stride),
ATen/ExpandUtils.cpp (infer_dense_strides), c10/core/TensorImpl.cpp (compute_contiguous,
compute_non_overlapping_and_dense), torch 2.13
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from minits.records import dataclass

Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lying:
    """The shape of a tensor, and by how many elements it moves along each dimension."""

    shape: Numbers
    strides: Numbers

    @property
    def is_canonical(self) -> bool:
        """Return whether the strides are those of a new tensor, for dimensions of size one, too."""
        return self.strides == contiguous_strides(self.shape)

    @property
    def is_contiguous(self) -> bool:
        return 0 in self.shape or _lies_as(self, range(len(self.shape)))

    @property
    def is_channels_last(self) -> bool:
        """Return whether it is an image whose channels are the fastest dimension."""
        rank = len(self.shape)
        return rank in (4, 5) and _lies_as(self, channels_last_order(rank))

    @property
    def is_dense(self) -> bool:
        """Return whether the elements fill their memory, each once."""
        if self.is_contiguous or self.is_channels_last:
            return True
        if len(self.shape) == 1:
            return self.shape[0] < 2 or self.strides[0] == 1
        below_two = [dim for dim, size in enumerate(self.shape) if size < 2]
        others = [dim for dim, size in enumerate(self.shape) if size >= 2]
        order = sorted(others, key=lambda dim: self.strides[dim])
        step = 1
        for dim in [*order, *below_two]:
            if self.shape[dim] < 2:
                return True
            if self.strides[dim] != step:
                return False
            step *= self.shape[dim]
        return True


NUMBER = Lying((), ())
"""A number of which eager makes a tensor."""


def _lies_as(lying: Lying, order: Iterable[int]) -> bool:
    """Return whether a tensor is dense with its dimensions in this order, slowest first.

    Strides along dimensions of size one do not matter.
    """
    step = 1
    for dim in reversed(list(order)):
        size = lying.shape[dim]
        if size != 1:
            if lying.strides[dim] != step:
                return False
            step *= size
    return True


def contiguous_strides(shape: Numbers) -> Numbers:
    """Return the strides of a new contiguous tensor, in elements."""
    return in_order(shape, range(len(shape)))


def channels_last(shape: Numbers) -> Numbers:
    """Return the strides of a new image of rank 4 or 5 whose channels are fastest."""
    return in_order(shape, channels_last_order(len(shape)))


def channels_last_order(rank: int) -> list[int]:
    return [0, *range(2, rank), 1]


def in_order(shape: Numbers, order: Iterable[int]) -> Numbers:
    """Return the strides of a dense tensor whose dimensions lie in this order, slowest first."""
    strides = [0] * len(shape)
    step = 1
    for dim in reversed(list(order)):
        strides[dim] = step
        step *= max(shape[dim], 1)
    return tuple(strides)


def elementwise(operands: Sequence[Lying], shape: Numbers) -> Numbers:
    """Return the strides of an elementwise operator's result; its operands broadcast to `shape`.

    Numbers that eager makes tensors of are operands of no dimensions.
    """
    if all(operand.shape == shape for operand in operands):
        fast = _of_equal_operands(operands, shape)
        if fast is not None:
            return fast
    rank = len(shape)
    moves = [_moves(operand, shape) for operand in operands]
    order = order_of(moves, shape)
    if order == list(range(rank)):
        return contiguous_strides(shape)
    strides = [0] * rank
    step = 1
    for dim in reversed(order):
        strides[dim] = step
        step *= shape[dim]
    return tuple(strides)


def _of_equal_operands(operands: Sequence[Lying], shape: Numbers) -> Numbers | None:
    """Return the strides of a result if all operands have one shape and lie alike, else None."""
    if all(operand.is_contiguous for operand in operands):
        return contiguous_strides(shape)
    if len(shape) == 4 and all(operand.is_channels_last for operand in operands):
        return channels_last(shape)
    first = operands[-1].strides
    if all(operand.strides == first and operand.is_dense for operand in operands):
        return first
    return None


def _moves(operand: Lying, shape: Numbers) -> Numbers:
    """Return by how much an operand moves along each dimension of what it broadcasts to."""
    pad = len(shape) - len(operand.shape)
    mine = [
        0 if size == 1 and whole != 1 else stride
        for size, stride, whole in zip(operand.shape, operand.strides, shape[pad:], strict=True)
    ]
    return (0,) * pad + tuple(mine)


def order_of(moves: Sequence[Numbers], shape: Numbers) -> list[int]:
    """Return the dimensions by the memory of the operands, slowest first.

    The first operand that moves along both of two dimensions tells which is faster; what none of
    them tells stays as it is.
    """
    rank = len(shape)
    order = list(range(rank))
    for end in range(rank - 2, -1, -1):
        position = end
        for later in range(end + 1, rank):
            answer = _is_faster(order[position], order[later], moves, shape)
            if answer is False:
                break
            if answer:
                order[position], order[later] = order[later], order[position]
                position = later
    return order


def _is_faster(dim: int, other: int, moves: Sequence[Numbers], shape: Numbers) -> bool | None:
    """Return whether memory is walked in smaller steps along `dim`; None if nothing tells."""
    for operand in moves:
        if not operand[dim] or not operand[other]:
            continue
        if operand[dim] != operand[other]:
            return operand[dim] < operand[other]
        if shape[other] > shape[dim]:
            return True
    return None


def like(lying: Lying) -> Numbers:
    """Return the strides of `empty_like`, of copies and casts: the same, without gaps."""
    if lying.is_dense:
        return lying.strides
    return in_order(lying.shape, order_of([lying.strides], lying.shape))


def suggests_channels_last(lying: Lying) -> bool:
    """Return whether a tensor looks like an image that lies channels last; it may have gaps.

    Source: c10/core/MemoryFormat.h (is_channels_last_strides_2d_s4)
    """
    rank = len(lying.shape)
    if rank not in (4, 5) or lying.strides[1] == 0:
        return False
    least = 0
    for dim in reversed(channels_last_order(rank)):
        size, stride = lying.shape[dim], lying.strides[dim]
        if size == 0 or stride < least or (dim == 0 and least == lying.strides[1]):
            return False
        least = stride * max(size, 1)
    return True
