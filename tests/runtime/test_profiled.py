"""torch.profiler shows groups and their gradients by operators and line, programs in C by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.profiler import profile

import minits
from minits.kernels.lowering.labels import MOST_NAMED
from tests.support.needs import need_compiler

need_compiler()
FILE = Path(__file__).name


def scaled(x: Tensor) -> Tensor:
    return torch.tanh(x * 2) + 1


def activated(x: Tensor, w: Tensor) -> Tensor:
    return F.gelu(x @ w, approximate="tanh") * 0.5


def long(x: Tensor) -> Tensor:
    y = x.sin().cos().exp().sigmoid().tanh().abs()
    return y.relu() * 2 + 1


def squares(n: int) -> int:
    found = 0
    for i in range(n):
        found += i * i % 7
    return found


def line(function: Callable[..., Any], further: int = 1) -> str:
    return f"({FILE}:{function.__code__.co_firstlineno + further})"


def events(call: Callable[[], Any], times: int = 3) -> set[str]:
    """Return the names of the events of a call that is like the ones before it."""
    for _ in range(times):
        call()
    with profile() as seen:
        call()
    return {event.key for event in seen.key_averages()}


@pytest.fixture
def x() -> Tensor:
    return torch.rand(5, 4)


def test_a_group_without_gradients(x: Tensor) -> None:
    compiled = minits.script(scaled)
    assert f"mul, tanh, add {line(scaled)}" in events(lambda: compiled(x))


def test_a_group_of_any_sizes() -> None:
    compiled = minits.script(scaled)
    sizes = iter(range(2, 100))
    call = lambda: compiled(torch.rand(next(sizes), 4))  # noqa: E731
    assert f"mul, tanh, add {line(scaled)}" in events(call, 40)


def test_gradients(x: Tensor) -> None:
    compiled = minits.script(scaled)
    found = events(lambda: compiled(x.requires_grad_()).sum().backward())
    label = f"mul, tanh, add {line(scaled)}"
    assert {label, f"backward of {label}"} <= found


def test_an_operator_of_a_library_has_the_users_line(x: Tensor) -> None:
    compiled = minits.script(activated)
    w = torch.rand(4, 6)
    assert f"gelu, mul {line(activated)}" in events(lambda: compiled(x, w))


def test_of_many_operators_some_are_named(x: Tensor) -> None:
    compiled = minits.script(long)
    names = "sin, cos, exp, sigmoid, tanh, abs".split(", ")
    assert len(names) == MOST_NAMED
    shown = f"{', '.join(names)} and 3 more {line(long)}"
    assert shown in events(lambda: compiled(x))


def test_a_program_in_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    compiled = minits.script(squares)
    assert any(name.startswith("squares in C") for name in events(lambda: compiled(9)))


def test_results_are_the_same(x: Tensor) -> None:
    compiled = minits.script(scaled)
    expected = [compiled(x) for _ in range(3)][-1]
    with profile():
        found = compiled(x)
    assert torch.equal(found, expected)
    assert torch.equal(compiled(x), expected)
