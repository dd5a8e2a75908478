"""Checks the gradients of one program: the compiled program's against eager's.

Each result that has a gradient is given one, the same for all ways to run the program. Noise in the
forward program is noise in its gradient, so gradients get their tolerances as results do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

import minits
from conformance.fuzz.check import Counts, Disagreement
from conformance.fuzz.noise import expectation, noisy_runs
from conformance.fuzz.programs import Program

CANCELLED = 1e-14
"""What may be left where two equal gradients are subtracted: what comes in is near one."""


def check_gradients(program: Program, counts: Counts) -> None:
    """Raises `Disagreement` where the gradients of the compiled program are not eager's."""
    arguments = [_leaf(value) for value in program.arguments]
    leaves = [value for value in arguments if isinstance(value, Tensor)]
    function = program.function()
    compiled = minits.script(function)
    counts.programs += 1
    try:
        wanted = _gradients(function(*arguments), leaves)
    except RuntimeError:
        return  # a tensor was changed in place that the gradient needs
    if wanted is None:
        return
    plan = compiled.plan_for(*arguments)
    found = _gradients(compiled(*arguments), leaves)
    noisy = [_gradients(results, leaves) for results in noisy_runs(plan.unfused, arguments)]
    for group in plan.groups:
        counts.groups += 1
        counts.kernels += len(group.kernels)
        counts.operators += sum(1 for _ in group.graph.block.nodes) * len(group.kernels)
    if found is None:
        raise Disagreement("the compiled program's results have no gradient")
    for number, leaf in enumerate(leaves):
        others = [gradients[number] for gradients in noisy if gradients is not None]
        limits = expectation(wanted[number], others)
        # NaN comes of zeros times infinities, and of their sums, in an order that is eager's own.
        known = replace(
            limits,
            tolerance=limits.tolerance + CANCELLED,
            is_known=limits.is_known & ~wanted[number].isnan(),
        )
        difference = known.difference(found[number])
        if difference is not None:
            raise Disagreement(
                f"the gradient of tensor {number}, {tuple(leaf.shape)}: {difference}"
            )


def _leaf(value: Any) -> Any:
    """A tensor laid out as another, that requires a gradient."""
    if not isinstance(value, Tensor):
        return value
    return value.detach().requires_grad_(value.dtype.is_floating_point)


def _gradients(results: Sequence[Tensor], leaves: Sequence[Tensor]) -> list[Tensor] | None:
    """The gradients of all tensors; None if no result has one."""
    generator = torch.Generator().manual_seed(1)
    pairs = []
    for result in results:
        given = torch.randn(result.shape, generator=generator, dtype=torch.float64)
        if result.requires_grad:
            pairs.append((result, given.to(result.dtype)))
    if not pairs:
        return None
    made = torch.autograd.grad(
        [result for result, _ in pairs], leaves, [given for _, given in pairs], allow_unused=True
    )
    return [
        torch.zeros_like(leaf) if gradient is None else gradient
        for leaf, gradient in zip(leaves, made, strict=True)
    ]
