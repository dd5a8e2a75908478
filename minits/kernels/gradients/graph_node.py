"""The node of autograd's graph that a fused group is.

    apply(call, *values)      the outputs of the group, as results of one node

A node holds its call (`recorded_call.py`), which knows how the gradients are computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from minits import torch_internals as internals
from minits.kernels.gradients.after_changes import AfterChanges, is_checked_by_autograd
from minits.kernels.launch.observers import is_observed

if TYPE_CHECKING:
    from minits.kernels.gradients.recorded_call import Call
    from minits.kernels.gradients.training_kernel import TrainingKernel

_is_grad_enabled = torch.is_grad_enabled


class _Fused(torch.autograd.Function):  # type: ignore[misc]
    """The node of a group. Its arguments are a call and the group's inputs."""

    @staticmethod
    def forward(ctx: Any, call: Call, *values: Any) -> Any:
        outputs = call.launch(*values)
        ctx.call = call
        training = call.training
        if training.dropped.stand_ins:
            outputs = (*outputs, *call.dropped.stand_ins())
        if training.numbers:
            ctx.numbers = training.numbers_of(values)
        ctx.set_materialize_grads(False)
        kept = training.keep(values, outputs)
        ctx.save_for_backward(*kept)
        if not internals.TELLS_OF_CHANGES:
            ctx.versions = [*map(internals.version_of, kept)]
        if training.lost:
            ctx.mark_non_differentiable(*[outputs[position] for position in training.lost])
        return outputs[0] if call.is_alone else training.results(outputs)

    @staticmethod
    def backward(ctx: Any, *given: Tensor | None) -> Any:
        """Return the inputs' gradients. Raises RuntimeError if saved tensors have been changed."""
        training: TrainingKernel = ctx.call.training
        if training.dropped.stand_ins:
            return _with_stand_ins(ctx, training, given)
        return _gradients(ctx, training, given)


def _with_stand_ins(
    ctx: Any, training: TrainingKernel, given: Sequence[Tensor | None]
) -> Sequence[Tensor | None]:
    """Return the inputs' gradients; those of their stand-ins are among the given ones."""
    own, passed = given[: training.returned_count], given[training.returned_count :]
    if all(gradient is None for gradient in passed):
        return _gradients(ctx, training, own)
    found: Sequence[Tensor | None] = (None,) * len(ctx.needs_input_grad)
    if any(gradient is not None for gradient in own):
        found = _gradients(ctx, training, own)
    gradients = list(found)
    for index, gradient in ctx.call.dropped.parts(passed):
        mine = gradients[1 + index]
        gradients[1 + index] = gradient if mine is None else mine + gradient
    return tuple(gradients)


def _gradients(
    ctx: Any, training: TrainingKernel, given: Sequence[Tensor | None]
) -> Sequence[Tensor | None]:
    call: Call | AfterChanges = ctx.call
    numbers = ctx.numbers if training.numbers else ()
    needs = ctx.needs_input_grad
    if isinstance(call, AfterChanges):
        return call.gradients(ctx, needs, given, numbers)
    try:
        saved = ctx.saved_tensors
    except RuntimeError:
        if not is_checked_by_autograd(ctx):
            raise
        return AfterChanges(call).gradients(ctx, needs, given, numbers)
    kept = saved[: training.kept_count] if training.dropped.stand_ins else saved
    if training.handed:
        given = given[: len(training.positions)]
    if _is_grad_enabled() or is_observed():
        stand_ins = saved[training.kept_count :]
        return call.unfused_gradients(needs, kept, given, numbers, stand_ins)
    found = call.last
    wanted, guard, run = found
    if wanted == needs and guard(*kept, *given):
        return run(kept, given, numbers)
    call.last = found = call.gradients(needs, kept, given, numbers)
    return found[2](kept, given, numbers)


apply = super(torch.autograd.Function, _Fused).apply
"""Cheaper than `_Fused.apply`, which looks for `torch.func`'s transforms: `Call` has done so."""
