"""Strides of the results of operators that eager does not compute by one loop over elements.

    like_first      as the first argument: flip, hardtanh
    contiguous      softmax
    chosen          as the condition and both others, cast to one dtype

A rule returns the strides of a result, or, of what is but another name of it, the very tensor. The
row of an operator names its rule (`Lowering.strides`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from minits.ir.constants import to_python
from minits.ir.graph import Value
from minits.kernels.lowering.promotion import Operand, Shape, result_type
from minits.kernels.lowering.result import OF_COMPLEX, NotFusable, View
from minits.kernels.lowering.row import At, StrideRule, is_complex
from minits.ops.eager_strides import (
    NUMBER,
    Lying,
    channels_last,
    contiguous_strides,
    elementwise,
    like,
    suggests_channels_last,
)
from minits.records import dataclass
from minits.torch_internals import storage_of
from minits.types import types as t

if TYPE_CHECKING:
    from minits.kernels.lowering.laying import Layouts


@dataclass(eq=False, frozen=True, slots=True)
class Laid:
    """A tensor of a group: how it lies, and of which tensor it is a view (itself, if none)."""

    lying: Lying
    base: Any


def seen(laid: Laid, views: Sequence[View], may_copy: bool) -> Laid:
    """Return a tensor seen through views. If it `may_copy`, it is contiguous without a view."""
    lying = laid.lying
    is_of_complex = any(view.kind in OF_COMPLEX for view in views)
    dtype = torch.complex64 if is_of_complex else torch.float32
    tensor = torch.empty_strided(lying.shape, lying.strides, dtype=dtype, device="meta")
    storage = storage_of(tensor)
    for view in views:
        viewed = View("aten::reshape", view.arguments) if may_copy else view
        tensor = viewed(tensor)
    is_same = storage_of(tensor) == storage
    return Laid(Lying(tuple(tensor.shape), tensor.stride()), laid.base if is_same else object())


def elementwise_loop(layouts: Layouts, at: At, shape: Shape) -> Shape:
    values = layouts.operands(at)
    return elementwise(_cast(layouts, at, values, _lyings(layouts, values)), shape)


def _lyings(layouts: Layouts, values: Sequence[Value]) -> list[Lying]:
    return [layouts.of(value).lying if value.type == t.TENSOR else NUMBER for value in values]


def _cast(
    layouts: Layouts, at: At, values: Sequence[Value], lyings: Sequence[Lying]
) -> list[Lying]:
    """On CPUs operands are cast before they are looked at, which closes their gaps."""
    if not layouts.lowerer.is_on_cpu or all(lying.is_dense for lying in lyings):
        return list(lyings)
    dtypes = [_dtype(layouts, value) for value in values]
    common = _common_dtype(layouts, at, values, dtypes)
    return [
        lying if dtype in (common, None) else Lying(lying.shape, like(lying))
        for lying, dtype in zip(lyings, dtypes, strict=True)
    ]


def _dtype(layouts: Layouts, value: Value) -> torch.dtype | None:
    """The dtype of a tensor, or None of a number."""
    constant = to_python(value)
    if isinstance(constant, torch.Tensor):
        return constant.dtype
    return layouts.dtypes.get(value) if value.type == t.TENSOR else None


_OF_NUMBERS = {t.FLOAT: torch.float64, t.INT: torch.int64, t.BOOL: torch.bool}


def _common_dtype(
    layouts: Layouts, at: At, values: Sequence[Value], dtypes: Sequence[torch.dtype | None]
) -> torch.dtype | None:
    made = layouts.dtypes.get(at.node.outputs[at.index])
    if made != torch.bool:
        return made
    given = [
        Operand(dtype or _OF_NUMBERS[value.type], None if dtype is None else  # type: ignore[index]
                layouts.lowerer.shape(value), None)
        for value, dtype in zip(values, dtypes, strict=True)
    ]  # fmt: skip
    return result_type(given)


def contiguous(layouts: Layouts, at: At, shape: Shape) -> Shape:
    return contiguous_strides(shape)


def like_first(layouts: Layouts, at: At, shape: Shape) -> Shape:
    return like(layouts.first(at).lying)


def first_itself(layouts: Layouts, at: At, shape: Shape) -> Laid:
    return layouts.first(at)


def cast_or_itself(layouts: Layouts, at: At, shape: Shape) -> Shape | Laid:
    given = layouts.dtypes.get(at.node.inputs[0])
    if given is None or given == layouts.dtypes.get(at.node.output):
        return layouts.first(at)
    return like_first(layouts, at, shape)


def made_contiguous(layouts: Layouts, at: At, shape: Shape) -> Shape | Laid:
    first = layouts.first(at)
    return first if first.lying.is_contiguous else contiguous_strides(shape)


def expanded(layouts: Layouts, at: At, shape: Shape) -> Laid:
    first = layouts.first(at)
    return seen(first, [View("aten::expand", (shape,))], may_copy=False)


def like_image(layouts: Layouts, at: At, shape: Shape) -> Shape:
    """Channels last where the first argument looks so, else contiguous."""
    return _joined([layouts.first(at).lying], shape)


def joined(layouts: Layouts, at: At, shape: Shape) -> Shape:
    return _joined(_parts(layouts, at), shape)


def _parts(layouts: Layouts, at: At) -> list[Lying]:
    return [layouts.of(value).lying for value in at.node.inputs[0].node.inputs]


def _joined(parts: Sequence[Lying], shape: Shape) -> Shape:
    is_image = all(map(suggests_channels_last, parts))
    return channels_last(shape) if is_image else contiguous_strides(shape)


def stacked(layouts: Layouts, at: At, shape: Shape) -> Shape:
    """Joined, and the dimension split; for the last one, joined of parts with a dimension more.

    Source: aten/src/ATen/native/TensorShape.cpp (`stack`).
    """
    dim, parts = at.dim("dim", len(shape)), _parts(layouts, at)
    if dim == len(shape) - 1:
        return _joined([_unsqueezed(part) for part in parts], shape)
    whole = (*shape[:dim], shape[dim] * shape[dim + 1], *shape[dim + 2 :])
    tensor = torch.empty_strided(whole, _joined(parts, whole), device="meta")
    strides: Shape = tensor.view(shape).stride()
    return strides


def _unsqueezed(lying: Lying) -> Lying:
    return Lying((*lying.shape, 1), (*lying.strides, 1))


def rolled(layouts: Layouts, at: At, shape: Shape) -> Shape:
    """One dimension after the other: joined of what is behind an index, and what is before it."""
    lying = layouts.first(at).lying
    if 0 in shape:
        return like(lying)
    for dim, shift in zip(at.constant("dims"), at.constant("shifts"), strict=True):
        before = shift % shape[dim]
        sizes = [(*shape[: dim % len(shape)], size, *shape[dim % len(shape) + 1 :])
                 for size in (before, shape[dim] - before)]  # fmt: skip
        parts = [Lying(size, lying.strides) for size in sizes]
        lying = Lying(shape, _joined(parts, shape))
    return lying.strides


def in_two_steps(layouts: Layouts, at: At, shape: Shape) -> Shape:
    """Of a difference, and what is computed of it; of two dtypes eager has more steps."""
    if len({_dtype(layouts, value) for value in layouts.operands(at)}) > 1:
        return plainly(layouts, at, shape)
    return elementwise([Lying(shape, elementwise_loop(layouts, at, shape))], shape)


def squared(layouts: Layouts, at: At, shape: Shape) -> Shape:
    if at.constant("beta", 1) == 0:
        return in_two_steps(layouts, at, shape)
    return contiguous_strides(shape) if 0 in shape else elementwise_loop(layouts, at, shape)


def subtracted_from(layouts: Layouts, at: At, shape: Shape) -> Shape:
    values = layouts.operands(at)[::-1]
    return elementwise(_cast(layouts, at, values, _lyings(layouts, values)), shape)


def chosen(layouts: Layouts, at: At, shape: Shape) -> Shape:
    """The condition is not cast."""
    values = layouts.operands(at)
    lyings = _lyings(layouts, values)
    return elementwise([lyings[0], *_cast(layouts, at, values[1:], lyings[1:])], shape)


def function_of_product(layouts: Layouts, at: At, shape: Shape) -> Shape:
    """Of a function of the product with a number."""
    return elementwise([Lying(shape, elementwise([layouts.first(at).lying, NUMBER], shape))], shape)


def scaled_by_power(layouts: Layouts, at: At, shape: Shape) -> Shape:
    """A product with a power of two; that of a number is contiguous, that of a float64 tensor not.

    torch makes a tensor of the two, of no dimensions, where the left operand is float64.
    """
    values = layouts.operands(at)
    left, right = _lyings(layouts, values)
    is_of_tensor = _dtype(layouts, values[0]) == torch.float64
    strides = (
        elementwise([NUMBER, right], right.shape)
        if is_of_tensor
        else contiguous_strides(right.shape)
    )
    power = Lying(right.shape, strides)
    return elementwise(_cast(layouts, at, values, [left, power]), shape)


def halves(layouts: Layouts, at: At, shape: Shape) -> Shape:
    half = Lying(shape, layouts.first(at).lying.strides)
    return elementwise([half, half], shape)


def is_infinite(layouts: Layouts, at: At, shape: Shape) -> Shape:
    """Of floating numbers, the sizes are compared with a number."""
    if not _is_floating(layouts, at):
        return like_first(layouts, at, shape)
    size = Lying(shape, elementwise_loop(layouts, at, shape))
    return elementwise([size, NUMBER], shape)


def is_finite(layouts: Layouts, at: At, shape: Shape) -> Shape:
    """Of floating numbers, what equals itself and is not infinite."""
    if not _is_floating(layouts, at):
        return like_first(layouts, at, shape)
    is_itself = Lying(shape, elementwise_loop(layouts, at, shape))
    return elementwise([is_itself, Lying(shape, is_infinite(layouts, at, shape))], shape)


def _is_floating(layouts: Layouts, at: At) -> bool:
    dtype = _dtype(layouts, at.node.inputs[0])
    return dtype is not None and dtype.is_floating_point


def power(layouts: Layouts, at: At, shape: Shape) -> Shape:
    if at.node.inputs[0].type != t.TENSOR:
        return contiguous_strides(shape)
    return elementwise_loop(layouts, at, shape)


def angle(layouts: Layouts, at: At, shape: Shape) -> Shape:
    if is_complex(layouts.lowerer, at.node.inputs[0]):
        return contiguous_strides(shape)
    return elementwise_loop(layouts, at, shape)


def plainly(layouts: Layouts, at: At, shape: Shape) -> Shape:
    """Contiguous, of what is and has elements; else eager goes through steps of its own.

    Raises `NotFusable`.
    """
    if 0 in shape:
        raise NotFusable("view", f"{at.node.kind} of what has no elements", at.node)
    for value in at.node.inputs:
        if value.type == t.TENSOR and not layouts.of(value).lying.is_canonical:
            raise NotFusable("view", f"{at.node.kind} of what does not lie plainly", at.node)
    return contiguous_strides(shape)


def image_or_plainly(layouts: Layouts, at: At, shape: Shape) -> Shape:
    lying = layouts.first(at).lying
    if 0 not in shape and lying.is_contiguous:
        return contiguous_strides(shape)
    if 0 not in shape and lying.is_channels_last:
        return channels_last(shape)
    return plainly(layouts, at, shape)


def differences(layouts: Layouts, at: At, shape: Shape) -> Shape:
    """Each of two parts that lie as the whole does."""
    dim, order = at.dim("dim", at.rank()), at.constant("n", 1)
    strides = layouts.first(at).lying.strides
    for longer in range(order)[::-1]:
        part = Lying((*shape[:dim], shape[dim] + longer, *shape[dim + 1 :]), strides)
        strides = elementwise([part, part], part.shape)
    return strides


def of_loss(rule: StrideRule) -> StrideRule:
    """Of a loss of each element, or one number."""
    return lambda layouts, at, shape: rule(layouts, at, shape) if shape else ()
