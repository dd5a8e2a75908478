"""Checkpoints that run a function again in other dispatch modes than it ran in first."""

import functools
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import (
    CheckpointPolicy,
    checkpoint,
    create_selective_checkpoint_contexts,
)

import minits


def program(x: Tensor, y: Tensor) -> Tensor:
    a = torch.sin(x * 2.0) + y
    b = torch.tanh(a) * a
    c = torch.mm(b, b.t())
    return torch.sigmoid(c) * 2.0


class Seen(TorchDispatchMode):
    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return function(*args, **(kwargs or {}))


class Passing(TorchFunctionMode):
    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return function(*args, **(kwargs or {}))


Mode = Callable[[], AbstractContextManager[Any]]
MODES: dict[str, Mode] = {"none": nullcontext, "dispatch": Seen, "function": Passing}
Function = Callable[[Tensor, Tensor], Tensor]


def kept(context: Any, operator: Any, *args: Any, **kwargs: Any) -> CheckpointPolicy:
    is_product = operator == torch.ops.aten.mm.default
    return CheckpointPolicy.MUST_SAVE if is_product else CheckpointPolicy.PREFER_RECOMPUTE


KINDS: dict[str, dict[str, Any]] = {
    "plain": {"use_reentrant": False},
    "reentrant": {"use_reentrant": True},
    "selective": {
        "use_reentrant": False,
        "context_fn": functools.partial(create_selective_checkpoint_contexts, kept),
    },
    "whole": {"use_reentrant": False, "early_stop": False},
}


def gradients(function: Function, first: Mode, again: Mode, **options: Any) -> Sequence[Tensor]:
    """Return gradients, of a function that runs in `first`, and `again` in another mode."""
    torch.manual_seed(0)
    x, y = torch.randn(4, 4, requires_grad=True), torch.randn(4, requires_grad=True)
    with first():
        result = checkpoint(function, x, y, **options)
    with again():
        result.sum().backward()
    assert x.grad is not None
    assert y.grad is not None
    return [x.grad, y.grad]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("again", MODES)
@pytest.mark.parametrize("first", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_it_may_run_again_in_another_mode(kind: str, first: str, again: str) -> None:
    what = MODES[first], MODES[again]
    expected = gradients(program, *what, **KINDS[kind])
    script = minits.script(program)
    for modes in (what, what, (nullcontext, nullcontext), what):
        torch.testing.assert_close(gradients(script, *modes, **KINDS[kind]), expected)


@pytest.mark.parametrize("again", ["none", "dispatch"])
@pytest.mark.parametrize("first", ["none", "dispatch"])
def test_modes_within_the_function_are_on_both_times(first: str, again: str) -> None:
    def partly(function: Function) -> Function:
        def run(x: Tensor, y: Tensor) -> Tensor:
            once = function(x, y)
            with Seen():
                twice = function(once, y)
            return function(twice, y)

        return run

    script = minits.script(program)
    expected = gradients(partly(program), MODES[first], MODES[again], use_reentrant=False)
    for _ in range(3):
        found = gradients(partly(script), MODES[first], MODES[again], use_reentrant=False)
        torch.testing.assert_close(found, expected)


def test_checkpoints_within_checkpoints() -> None:
    def nested(function: Function) -> Function:
        def run(x: Tensor, y: Tensor) -> Tensor:
            inner = checkpoint(function, x, y, use_reentrant=False)
            return function(inner, y)

        return run

    script = minits.script(program)
    for first, again in ((Seen, nullcontext), (nullcontext, Seen)):
        expected = gradients(nested(program), first, again, use_reentrant=False)
        for _ in range(2):
            found = gradients(nested(script), first, again, use_reentrant=False)
            torch.testing.assert_close(found, expected)


def test_gradients_twice_of_one_checkpoint() -> None:
    x, y = torch.ones(4, 4, requires_grad=True), torch.ones(4, requires_grad=True)
    with Seen():
        result = checkpoint(minits.script(program), x, y, use_reentrant=False)
    once = torch.autograd.grad(result.sum(), [x, y], retain_graph=True)
    torch.testing.assert_close(torch.autograd.grad(result.sum(), [x, y]), once)


@pytest.mark.parametrize("calls", [1, 3])
def test_hooks_may_make_plain_tensors_of_others(calls: int) -> None:
    """The second run of the checkpoint has an input without the negative bit."""

    def powers(x: Tensor) -> Tensor:
        return torch.exp2(x) * -1.5

    def gradient(function: Callable[[Tensor], Tensor]) -> Tensor:
        x = torch._neg_view(torch.arange(6.0)).requires_grad_()
        with torch.autograd.graph.saved_tensors_hooks(torch.clone, lambda x: x):
            result = checkpoint(function, x, use_reentrant=False)
        return torch.autograd.grad(result.sum(), x)[0]

    script = minits.script(powers)
    for _ in range(calls):
        torch.testing.assert_close(gradient(script), gradient(powers))
