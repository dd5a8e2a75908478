"""Tasks as C: they run where they are forked, and what they raise is raised by `wait`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import minits
from minits.compilation_state import STATE
from minits.native.c_types import NotNative
from minits.native.function import NativeFunction
from minits.native.hot import NativeRun
from tests.support.needs import need_compiler

need_compiler()


def _checked(n: int) -> int:
    assert n != 3, "three"
    xs = [1, 2, 3, 4]
    return xs[n]


def _named(n: int, s: str) -> tuple[str, int | None]:
    if n < 0:
        raise ValueError("below: " + s)
    return s + s, n if n % 2 else None


def _inner(x: torch.Tensor, n: int) -> torch.Tensor:
    task = torch.jit.fork(_checked, n)
    return x[n] * torch.jit.wait(task)


def all_in_order(n: int) -> list[int]:
    tasks: list[torch.jit.Future[int]] = []
    for i in range(n):
        tasks.append(torch.jit.fork(_checked, i))
    found: list[int] = []
    for task in tasks:
        found.append(torch.jit.wait(task))
    return found


def last_of_loop(n: int, s: str) -> tuple[str, int]:
    task = torch.jit.fork(_named, n, s)
    for i in range(n):
        if i == 4:
            task = torch.jit.fork(_named, -i, s + "f")
    text, number = torch.jit.wait(task)
    again = torch.jit.wait(task)[1]
    return text, (0 if number is None else number) + (5 if again is None else again)


def nested(x: torch.Tensor, n: int) -> torch.Tensor:
    task = torch.jit.fork(_inner, x, n)
    other = torch.jit.fork(_inner, x + 1, n - 1)
    return torch.jit.wait(task) + torch.jit.wait(other)


def not_waited_for(n: int) -> int:
    task = torch.jit.fork(_checked, n)
    if n > 5:
        return torch.jit.wait(task)
    if n < -5:
        raise IndexError("another error")
    return n


def _after(task: torch.jit.Future[int], n: int) -> int:
    return torch.jit.wait(task) + n


def chained(n: int) -> int:
    task = torch.jit.fork(_checked, n)
    following = torch.jit.fork(_after, task, n)
    return torch.jit.wait(following) + n


def mutated(xs: list[int], n: int) -> list[int]:
    task = torch.jit.fork(_append, xs, n)
    torch.jit.wait(task)
    return xs


def _append(xs: list[int], n: int) -> int:
    xs.append(n)
    if n == 2:
        xs.append(xs[7])
    return n


_X = torch.arange(5.0).reshape(5, 1)
_NUMBERS = [(n,) for n in (-9, -1, 0, 2, 3, 4, 9)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (all_in_order, _NUMBERS),
        (last_of_loop, [(n, "é") for n in (-1, 0, 3, 8)]),
        (nested, [(_X, n) for n in (0, 1, 3, 4, 5, 9)]),
        (not_waited_for, _NUMBERS),
        (chained, _NUMBERS),
        (mutated, [([1], n) for n in range(4)]),
    ],
)
def test_tasks_are_those_of_torch(
    function: Callable[..., Any], calls: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINITS_BUILD", "now")
    reference = torch.jit.script(function)
    monkeypatch.setenv("MINITS_NATIVE", "off")
    STATE.clear()
    python = minits.script(function)
    wanted = [_outcome(python, arguments) for arguments in calls]
    monkeypatch.setenv("MINITS_NATIVE", "whole")
    STATE.clear()
    ours = minits.script(function)
    for arguments, outcome in zip(calls, wanted, strict=True):
        for _ in range(2):
            assert _outcome(ours, arguments) == outcome, arguments
        theirs = _outcome(reference, arguments)
        assert isinstance(outcome, str) if isinstance(theirs, str) else outcome == theirs
    assert isinstance(ours.plan_for(*calls[0]).native, NativeRun)


def _outcome(call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Return the result, or the error's message with its lines."""
    try:
        found = call(*[list(x) if isinstance(x, list) else x for x in arguments])
    except (RuntimeError, torch.jit.Error) as error:
        return str(error)
    return found.tolist() if isinstance(found, torch.Tensor) else found


def test_a_future_is_no_result_of_c() -> None:
    def given_out(n: int) -> torch.jit.Future[int]:
        return torch.jit.fork(_checked, n)

    with pytest.raises(NotNative):
        NativeFunction(minits.script(given_out).graph, "given_out")
