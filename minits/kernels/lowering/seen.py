"""Tensors of a group as a kernel sees them: examples, through views.

x: [4, 6], seen through x[:, ::2]      an example of [4, 3] and strides (6, 2), without data
"""

from __future__ import annotations

from typing import Any

import torch

from minits.kernels.lowering.promotion import Shape
from minits.kernels.lowering.result import NotFusable, View, memory_of, told_apart
from minits.torch_internals import storage_of
from minits.types.tensor_meta import TensorMeta, like


def seen_through(meta: TensorMeta, views: tuple[View, ...]) -> torch.Tensor:
    """Return an example of a tensor, seen through views.

    Raises NotFusable where a view does not fit its shape, or would have to copy it.
    """
    seen = like(meta)
    storage = storage_of(seen)
    try:
        for view in views:
            seen = view(seen)
    except (RuntimeError, IndexError) as fault:
        raise NotFusable("view", f"a tensor of shape {meta.shape}: {fault}") from None
    if storage_of(seen) != storage:
        raise NotFusable("view", f"a tensor of shape {meta.shape} would have to be copied")
    return seen


def elements_of(meta: TensorMeta, views: tuple[View, ...]) -> Any:
    """Return a key of the elements of a tensor that are seen through views."""
    apart = told_apart(like(meta))
    try:
        for view in views:
            apart = view(apart)
    except (RuntimeError, IndexError):
        return views
    return memory_of(apart)


def check_broadcasts(shape: Shape, space: Shape) -> None:
    """Raise NotFusable for a tensor that does not broadcast to an iteration space."""
    pairs = zip(shape, space[max(0, len(space) - len(shape)) :], strict=False)
    if len(shape) > len(space) or any(size not in (1, whole) for size, whole in pairs):
        raise NotFusable("shape", f"a tensor of shape {shape} does not broadcast to {space}")
