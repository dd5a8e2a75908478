"""Gradients of a group by torch's own operators: they have gradients themselves, in grad mode."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from minits import torch_internals as internals
from minits.kernels.gradients.results_instead import results_instead


def unfused_gradients(
    unfused: Callable[..., Sequence[Tensor]],
    values: Sequence[Any],
    dtypes: Mapping[int, torch.dtype],
    pairs: Sequence[tuple[int, Tensor]],
    wanted: Iterable[int],
    results: Mapping[int, Tensor],
    unseen: bool = False,
) -> list[Tensor | None]:
    """Return a gradient for each group input, None for those that are not wanted.

    A gradient has the shape and dtype of its input. `values` are the group's inputs; of tensors
    that were not saved, their shapes. `dtypes` has those that are tensors. `pairs` are outputs, by
    their positions, and their gradients; `results` are those outputs of the call that eager saves,
    by their positions. If `unseen`, no hooks see what the operators save. Raises what they raise.
    """
    keeps_graph = torch.is_grad_enabled()
    device = pairs[0][1].device
    found: list[Tensor | None] = [None] * len(values)
    with results_instead(results if keeps_graph else {}, unseen) as computed:
        with torch.enable_grad(), internals.without_autocast():
            inputs = [
                alias(value, dtypes[index], keeps_graph, device) if index in dtypes else value
                for index, value in enumerate(values)
            ]
            outputs = unfused(*inputs)
        computed(outputs)
        pairs = [(at, gradient) for at, gradient in pairs if outputs[at].requires_grad]
        if not pairs:
            return found
        indices = sorted(wanted)
        gradients = torch.autograd.grad(
            [outputs[at] for at, _ in pairs],
            [inputs[index] for index in indices],
            [gradient for _, gradient in pairs],
            create_graph=keeps_graph,
            allow_unused=True,
        )
    for index, gradient in zip(indices, gradients, strict=True):
        found[index] = gradient
    return found


def alias(value: Any, dtype: torch.dtype, keeps_graph: bool, device: torch.device) -> Tensor:
    """Return an input to compute gradients with, so that these stop at it.

    Where `value` is only a shape, the input is zero, of that shape and of `dtype`: no gradient
    depends on its elements.
    """
    if not isinstance(value, Tensor):
        zero = torch.zeros((), dtype=dtype, device=device).expand(value)
        return zero.requires_grad_(dtype.is_floating_point)
    if keeps_graph and value.requires_grad:
        return value.view_as(value)
    return value.detach().requires_grad_(value.requires_grad)
