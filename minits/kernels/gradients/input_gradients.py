"""From the gradients that a backward kernel writes to those of the group's inputs.

A kernel's gradients have the shape of its domain. On the way to an input's own shape they are
summed where the input was broadcast, and put back to where its views took from:

    a, b = gates.chunk(2, 1); y = a * b + bias           gates [B, 2 H], bias [H]

    gradient of gates = cat([that of a, that of b], 1)
    gradient of bias  = that of bias [B, H], summed over the first dimension
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import torch
from torch import Tensor

from minits.kernels.gradients.column_sums import column_sums
from minits.kernels.ir.kernel import Level
from minits.kernels.lowering.result import Lowered, Source, View
from minits.ops.broadcasting import broadcast_shapes
from minits.records import dataclass

Shape = tuple[int, ...]
Step = Callable[..., Tensor]


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shapes of one call: of each source as it is viewed, and of the kernel's domain."""

    viewed: tuple[Shape, ...]
    domain: Shape


def shapes_of(lowered: Lowered, inputs: Sequence[Any]) -> Shapes:
    """Return the shapes for these group inputs: tensors, or shapes of tensors."""
    viewed, broadcast = [], []
    lowered = lowered.given(inputs)
    for source in lowered.sources:
        value = inputs[source.index]
        shape = tuple(value.shape) if isinstance(value, Tensor) else tuple(value)
        for view in source.views:
            shape = view.shape_of(shape)
        shape = source.shape_of(shape)
        viewed.append(shape)
        broadcast.append(shape + (1,) * lowered.reduced if source.row_aligned else shape)
    domain = broadcast_shapes((1,) * lowered.rank, *broadcast)
    return Shapes(tuple(viewed), domain)


def bind_input_gradient(
    numbers: Sequence[int],
    levels: Sequence[Level | None],
    lowered: Lowered,
    shapes: Shapes,
    shape: Shape,
) -> Step | None:
    """Return a function that makes the gradient of one group input, of the given shape.

    `numbers` are the kernel's inputs that are made of it. It takes the gradient of each, which has
    the domain's shape or, where its level is ROW, ones for the dimensions that are reduced over;
    None is the level of one that is summed along the last dimensions in which the input is one.
    None stands for the only gradient as it is.
    """
    sources = [lowered.sources[number] for number in numbers]
    outer = len(shapes.domain) - lowered.reduced
    rows = shapes.domain[:outer] + (1,) * lowered.reduced
    steps = [
        _of_partial_sums(shapes.viewed[number], shapes.domain) if level is None
        else _step(
            source, shapes.viewed[number], rows if level is Level.ROW else shapes.domain, shapes
        )
        for source, number, level in zip(sources, numbers, levels, strict=True)
    ]  # fmt: skip
    if len(steps) == 1 and not sources[0].views:
        return steps[0]
    if len(steps) == 1 and _kinds(sources[0]) <= _RESHAPES:
        return _reshaping(steps[0], shape)

    def input_gradient(*gradients: Tensor) -> Tensor:
        found = [
            gradient if step is None else step(gradient)
            for step, gradient in zip(steps, gradients, strict=True)
        ]
        return _together(list(zip(sources, found, strict=True)), shape)

    return input_gradient


def _kinds(source: Source) -> set[str]:
    return {view.kind for view in source.views}


def _reshaping(step: Step | None, shape: Shape) -> Step:
    if step is None:
        return lambda gradient: gradient.reshape(shape)
    return lambda gradient: step(gradient).reshape(shape)


def summed_shape(number: int, level: Level, lowered: Lowered, shapes: Shapes) -> Shape | None:
    """Return the shape of the gradient of a kernel's input, summed over leading dimensions.

    None where something else is to be done to it.
    """
    source, viewed = lowered.sources[number], shapes.viewed[number]
    leading = len(shapes.domain) - len(viewed)
    is_plain = not source.views and not source.row_aligned and level is Level.FULL
    if is_plain and leading and shapes.domain[leading:] == viewed:
        return viewed
    return None


def _of_partial_sums(viewed: Shape, domain: Shape) -> Step:
    """Sum a gradient, already summed along the last dimensions, over the others."""
    length = next(count for count, size in enumerate(reversed(viewed)) if size != 1)
    shape = domain[: len(domain) - length] + (1,) * length
    leading = len(shape) - len(viewed)
    if leading and shape[leading:] == viewed:
        return column_sums(shape, leading)
    return lambda gradient: gradient.sum_to_size(viewed)


def _step(source: Source, viewed: Shape, shape: Shape, shapes: Shapes) -> Step | None:
    """Sum a gradient of a shape over the dimensions in which the viewed source was broadcast.

    None where there is nothing to do.
    """
    domain = shapes.domain
    if source.level is Level.FULL and shape != domain:
        return lambda gradient: gradient.expand(domain).sum_to_size(viewed)
    if source.row_aligned:
        ones = tuple(range(len(viewed) - len(shape), 0))
        return lambda gradient: gradient.squeeze(ones).sum_to_size(viewed)
    if shape == viewed:
        return None
    leading = len(shape) - len(viewed)
    if shape[leading:] == viewed:
        return column_sums(shape, leading)
    return lambda gradient: gradient.sum_to_size(viewed)


def _together(parts: Sequence[tuple[Source, Tensor]], shape: Shape) -> Tensor:
    """The gradient of one group input, made of those of its views."""
    found: Tensor | None = None
    seen: list[tuple[Source, Tensor]] = []
    for source, gradient in parts:
        if source.views:
            seen.append((source, gradient))
        else:
            found = gradient if found is None else found + gradient
    if seen:
        whole = _joined(seen)
        whole = _through_views(seen, shape) if whole is None else whole
        found = whole if found is None else found + whole
    assert found is not None
    return found


# ---- Through views -------------------------------------------------------------------------------


def _joined(parts: Sequence[tuple[Source, Tensor]]) -> Tensor | None:
    """Join the gradients of all items of one `chunk`, `split` or `unbind`; else None."""
    first = parts[0][0].views[0]
    if len(parts) != first.count or first.kind not in _LISTS:
        return None
    items: list[Tensor | None] = [None] * len(parts)
    for source, gradient in parts:
        view = source.views[0]
        if len(source.views) > 1 or view.item is None or not _are_alike(view, first):
            return None
        items[view.item] = gradient
    found = [item for item in items if item is not None]
    if len(found) < len(items):
        return None
    dim = first.arguments[-1]
    return torch.stack(found, dim) if first.kind == "aten::unbind" else torch.cat(found, dim)


_LISTS = ("aten::chunk", "aten::split", "aten::split_with_sizes", "aten::unbind")


def _are_alike(one: View, other: View) -> bool:
    return (one.kind, one.arguments, one.count) == (other.kind, other.arguments, other.count)


_RESHAPES = {f"aten::{name}" for name in "view flatten unflatten unsqueeze squeeze".split()}


def _through_views(parts: Sequence[tuple[Source, Tensor]], shape: Shape) -> Tensor:
    """Put gradients back to where views took from."""
    gradients = [gradient for _, gradient in parts]
    if not any("aten::expand" in _kinds(source) for source, _ in parts):
        try:
            return _written(parts, gradients[0], shape)
        except RuntimeError:  # a view of a tensor that lies otherwise
            pass
    base = gradients[0].new_empty(()).expand(shape).requires_grad_()
    with torch.enable_grad():
        seen = [source.view(base) for source, _ in parts]
    return torch.autograd.grad(seen, base, gradients)[0]


def _written(parts: Sequence[tuple[Source, Tensor]], like: Tensor, shape: Shape) -> Tensor:
    """Write gradients through the views, which take no element twice. Raises RuntimeError."""
    if len(parts) == 1 and like.numel() == prod(shape):
        whole = like.new_empty(shape)
        parts[0][0].view(whole).copy_(like)
        return whole
    whole = like.new_zeros(shape)
    for source, gradient in parts:
        source.view(whole).add_(gradient)
    return whole
