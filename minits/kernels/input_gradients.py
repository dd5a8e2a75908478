"""From the gradients that a backward kernel writes to those of the group's inputs.

A kernel's gradients have the shape of its domain. On the way to an input's own shape they are
summed where the input was broadcast, and put back to where its views took from:

    a, b = gates.chunk(2, 1); y = a * b + bias           gates [B, 2 H], bias [H]

    gradient of gates = cat([that of a, that of b], 1)
    gradient of bias  = that of bias [B, H], summed over the first dimension
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from minits.kernels.kernel import Level
from minits.kernels.lowering.result import Lowered, Source, View

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shapes:
    """Those of one call: of each source as it is viewed, and of the kernel's domain."""

    viewed: tuple[Shape, ...]
    domain: Shape


def shapes_of(lowered: Lowered, inputs: Sequence[Shape | None]) -> Shapes:
    """Return the shapes for group inputs of these shapes (None: no tensor)."""
    viewed, broadcast = [], []
    for source in lowered.sources:
        shape = inputs[source.index]
        assert shape is not None, "a kernel reads tensors"
        for view in source.views:
            shape = view.shape_of(shape)
        viewed.append(shape)
        broadcast.append(shape + (1,) * lowered.reduced if source.row_aligned else shape)
    domain = tuple(torch.broadcast_shapes((1,) * lowered.rank, *broadcast))
    return Shapes(tuple(viewed), domain)


def input_gradient(
    parts: Sequence[tuple[int, Tensor]], lowered: Lowered, shapes: Shapes, shape: Shape
) -> Tensor:
    """Return the gradient of one group input, of the given shape.

    `parts` are the kernel's inputs that are made of it, each with its gradient, which has the
    domain's shape, or ones for the dimensions that are reduced over.
    """
    found: Tensor | None = None
    seen: list[tuple[Source, Tensor]] = []
    for index, gradient in parts:
        source = lowered.sources[index]
        gradient = _of_viewed(gradient, source, shapes.viewed[index], shapes.domain)
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


def _of_viewed(gradient: Tensor, source: Source, viewed: Shape, domain: Shape) -> Tensor:
    """Sum a gradient over the dimensions in which the viewed source was broadcast."""
    if source.level is Level.FULL and gradient.shape != domain:
        gradient = gradient.expand(domain)
    if source.row_aligned:
        gradient = gradient.squeeze(tuple(range(len(viewed) - gradient.dim(), 0)))
    return gradient if gradient.shape == viewed else gradient.sum_to_size(viewed)


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


def _through_views(parts: Sequence[tuple[Source, Tensor]], shape: Shape) -> Tensor:
    """Put gradients back to where views took from, by torch's own derivatives of the views."""
    gradients = [gradient for _, gradient in parts]
    base = gradients[0].new_empty(()).expand(shape).requires_grad_()
    with torch.enable_grad():
        seen = [source.view(base) for source, _ in parts]
    return torch.autograd.grad(seen, base, gradients)[0]
