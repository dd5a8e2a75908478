"""Checks the gradients of one program: the compiled program's against eager's.

Each result that has a gradient is given one, the same for all ways to run the program. Noise in the
forward program is noise in its gradient, so gradients get their tolerances as results do.

Then each argument and result in turn is changed in place before gradients are computed: that is an
error where it is one in eager, and where it is not, the gradients are eager's again (of a view of
an expanded tensor, they are others then). A group is one node of autograd's graph, before which for
one of its results the nodes for all of them run: where an error is due to that, it may be one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

import torch
from torch import Tensor

import minits
from conformance.fuzz.check import Counts, Disagreement
from conformance.fuzz.noise import Expectation, expectation, noisy_runs
from conformance.fuzz.programs import Program
from minits.codegen.groups import Group

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
        wanted_results = function(*arguments)
        wanted = _gradients(wanted_results, leaves)
    except RuntimeError:
        return  # a tensor was changed in place that the gradient needs
    if wanted is None:
        return
    plan = compiled.plan_for(*arguments)
    found = _gradients(compiled(*arguments), leaves)
    noisy = [_gradients(results, leaves) for results in noisy_runs(plan.unfused, arguments)]
    for group in plan.groups:
        counts.groups += 1
        counts.kernels += len(group.made.kernels)
        counts.operators += sum(1 for _ in group.body.graph.block.nodes) * len(group.made.kernels)
    if found is None:
        raise Disagreement("the compiled program's results have no gradient")
    expected = [
        _expected(wanted[number], [gradients[number] for gradients in noisy if gradients])
        for number in range(len(leaves))
    ]
    _compare(expected, found, "")
    for number in range(len(leaves) + len(wanted_results)):
        changed = f", tensor {number} of arguments and results changed in place"
        theirs = _after_change(function, arguments, number)
        mine = _after_change(compiled, arguments, number)
        if isinstance(mine, str) and not isinstance(theirs, str):
            theirs = _after_change(_in_nodes(plan.run, plan.groups), arguments, number)
        if isinstance(theirs, str) != isinstance(mine, str):
            raise Disagreement(f"{_told(mine)} for {_told(theirs)}{changed}")
        if isinstance(mine, list) and isinstance(theirs, list):
            pairs = zip(expected, theirs, strict=True)
            now = [replace(limits, result=gradient) for limits, gradient in pairs]
            _compare(now, mine, changed)


class _Tied(torch.autograd.Function):
    """One node of several tensors."""

    @staticmethod
    def forward(ctx: Any, *tensors: Tensor) -> Any:
        ctx.set_materialize_grads(False)
        return tuple([tensor.view_as(tensor) for tensor in tensors])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor | None) -> Any:
        return gradients


def _in_nodes(run: Callable[..., Any], groups: Sequence[Group]) -> Callable[..., Any]:
    """Return a plan that runs eager's operators, with one more node behind those of each group."""
    namespace = dict(run.__globals__)
    names = {id(value): name for name, value in namespace.items()}

    def tied(group: Group) -> Callable[..., Any]:
        def call(*values: Any) -> Any:
            results = group.body.unfused(*values)
            return _Tied.apply(*results) if isinstance(results, tuple) else results

        return call

    for group in groups:
        namespace[names[id(group.call)]] = tied(group)
    return FunctionType(run.__code__, namespace, run.__name__, run.__defaults__, run.__closure__)


def _told(outcome: list[Tensor] | str | None) -> str:
    return outcome if isinstance(outcome, str) else "gradients"


def _expected(gradient: Tensor, noisy: Sequence[Tensor]) -> Expectation:
    """Return the expectation for a gradient. NaN is unknown: it comes of eager's order of steps."""
    limits = expectation(gradient, noisy)
    return replace(
        limits,
        tolerance=limits.tolerance + CANCELLED,
        is_known=limits.is_known & ~gradient.isnan(),
    )


def _compare(expected: Sequence[Expectation], found: Sequence[Tensor], told: str) -> None:
    for number, (limits, gradient) in enumerate(zip(expected, found, strict=True)):
        difference = limits.difference(gradient)
        if difference is not None:
            shape = tuple(gradient.shape)
            raise Disagreement(f"the gradient of tensor {number}, {shape}{told}: {difference}")


def _after_change(
    function: Callable[..., Any], arguments: Sequence[Any], number: int
) -> list[Tensor] | str | None:
    """The gradients where a tensor, counted through arguments and results, has been changed.

    Where that is an error, its first words; None where the tensor cannot be changed in place.
    """
    leaves = [value for value in arguments if isinstance(value, Tensor)]
    results = function(*arguments)
    tensor = [*leaves, *results][number]
    before = tensor.detach().clone()
    if not _change(tensor):
        return None
    try:
        return _gradients(results, leaves)
    except RuntimeError as fault:
        return str(fault).split(":")[0]
    finally:
        with torch.no_grad():
            tensor.copy_(before)


def _change(tensor: Tensor) -> bool:
    """Change a tensor in place; return whether it can be, and has elements."""
    if not tensor.numel():
        return False
    with torch.no_grad():
        try:
            if tensor.dtype == torch.bool:
                tensor.logical_not_()
            else:
                tensor.add_(1)
        except RuntimeError:  # an expanded one
            return False
    return True


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
