"""Interrupts: whatever an interrupt ends, the same thing done again comes to the same end.

Python raises KeyboardInterrupt, or the error of an alarm, where a function begins or a call of C
returns. So it is raised here at such points, one after the other: where one part of the code calls
another one for the first time, which finds each `finally` and each `__exit__` once.
"""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Callable
from contextlib import suppress
from types import CodeType, FrameType
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.compilation_state import STATE

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""Python itself ignores an interrupt that comes while it closes a generator."""


class Interrupted(BaseException):
    """Stands for KeyboardInterrupt, which pytest would end for."""


Point = tuple[str, CodeType, int]
"""The event ("call" or "c_return") and the code and place in it that calls."""

_OF_CONTEXTS = {"__init__", "__enter__", "__exit__"}
"""Methods of torch's contexts, which an interrupt leaves half entered: that is torch's to mend."""


def _point(frame: FrameType, event: str) -> Point | None:
    """Return the point of an event of the profiler; None where no interrupt is tried."""
    caller = frame.f_back if event == "call" else frame
    if event not in ("call", "c_return") or caller is None:
        return None
    if frame.f_code.co_name in _OF_CONTEXTS and "/torch/" in frame.f_code.co_filename:
        return None
    return event, caller.f_code, caller.f_lasti


def _points(do: Callable[[], Any]) -> list[Point]:
    """Return the points where an interrupt may come, in the order in which they are reached."""
    seen: dict[Point, None] = {}

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        point = _point(frame, event)
        if point is not None:
            seen.setdefault(point)

    sys.setprofile(profile)
    try:
        do()
    finally:
        sys.setprofile(None)
    return list(seen)


def _interrupt(do: Callable[[], Any], at: Point) -> None:
    """Do something until a point is reached."""

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        if _point(frame, event) == at:
            sys.setprofile(None)
            raise Interrupted

    sys.setprofile(profile)
    with suppress(Interrupted):
        try:
            do()
        finally:
            sys.setprofile(None)


def _check(
    do: Callable[[], Any], n_points: int | None, each: Callable[[], None] = STATE.clear
) -> None:
    """Interrupt something at points that lie evenly, or at all, and do it again after each."""
    each()
    expected = do()
    each()
    points = _points(do)
    limit = sys.getrecursionlimit()
    for point in points if n_points is None else points[:: len(points) // n_points]:
        each()
        _interrupt(do, point)
        event, code, _ = point
        where = f"after an interrupt at a {event} in {code.co_name} of {code.co_filename}"
        try:
            found = do()
        except Exception as error:
            raise AssertionError(where) from error
        assert _same(found, expected), where
        assert gc.isenabled(), where
        assert sys.getrecursionlimit() == limit, where
        assert torch.is_grad_enabled(), where


def _same(found: Any, expected: Any) -> bool:
    if isinstance(expected, Tensor):
        return torch.equal(found, expected)
    return bool(found == expected)


class Box:
    def __init__(self, x: Tensor, k: int) -> None:
        self.x = x
        self.k = k

    def get(self) -> Tensor:
        return helper(self.x) * self.k


def helper(x: Tensor) -> Tensor:
    return torch.sigmoid(x) * 2


class Part(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))

    def forward(self, x: Tensor) -> Tensor:
        return helper(x * self.scale)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.parts = nn.ModuleList([Part(), Part()])

    def forward(self, x: Tensor) -> Tensor:
        for part in self.parts:
            x = part(x)
        return Box(x, 3).get()


def number(n: int) -> int:
    total = 0
    for i in range(n):
        total += i * i
    return total


X = torch.linspace(-1, 1, 6).reshape(2, 3)


def compiled() -> Any:
    return minits.script(Net())(X)


def compiled_text() -> Any:
    return minits.CompilationUnit("def f(x: Tensor):\n    return x.exp() + 1").f(X)


def planned() -> Any:
    def local(x: Tensor) -> Tensor:
        return torch.sigmoid(x * 1.25) * torch.tanh(x) - x

    made = minits.script(local)
    return [made(X).sum().item() for _ in range(3)]


def with_gradients() -> Any:
    module = minits.script(Part())
    for _ in range(2):
        module.scale.grad = None
        module(X).sum().backward()
    return module.scale.grad


def in_c() -> Any:
    made = minits.script(number)
    return [made(20) for _ in range(3)]


def traced() -> Any:
    module = minits.trace(Part(), X, check_trace=False)
    return [module(X).sum().item() for _ in range(2)]


def frozen() -> Any:
    return minits.freeze(minits.script(Net().eval()))(X)


def saved_and_loaded() -> Any:
    file = io.BytesIO()
    minits.save(minits.script(Net()), file)
    file.seek(0)
    return minits.load(file)(X)


ALL = [compiled, compiled_text, planned, with_gradients, in_c, traced, frozen, saved_and_loaded]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("do", ALL, ids=[each.__name__ for each in ALL])
def test_what_was_interrupted_is_done_again(do: Callable[[], Any]) -> None:
    _check(do, 12)


@pytest.mark.slow
@pytest.mark.parametrize("do", ALL, ids=[each.__name__ for each in ALL])
def test_interrupts_at_all_points(do: Callable[[], Any]) -> None:
    _check(do, None)


def test_an_interrupt_while_methods_are_added() -> None:
    """The class has all of its methods afterwards, which it had not when it was registered."""
    for name in ("add_entry_points", "_add_method", "_define_methods", "note_class", "define"):
        STATE.clear()

        def interrupt(frame: Any, event: str, argument: Any, name: str = name) -> None:
            if event == "call" and frame.f_code.co_name == name:
                sys.setprofile(None)
                raise Interrupted

        sys.setprofile(interrupt)
        try:
            with pytest.raises(Interrupted):
                compiled()
        finally:
            sys.setprofile(None)
        assert torch.is_tensor(compiled())
