"""Awaits as C: their calls are made where they are first waited for, once, as in torch.jit."""
# ruff: noqa: UP006, UP035, UP045

from collections.abc import Callable
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import pytest
import torch
from torch import Tensor
from torch.jit import _Await

import minits
from minits.compilation_state import STATE
from minits.native.c_types import NotNative
from minits.native.function import NativeFunction
from minits.native.hot import NativeRun
from minits.native_build.building import write_library
from minits.native_build.programs import exported
from tests.support.needs import need_compiler
from tests.support.sanitizers import sanitized

need_compiler()


def _checked(n: int) -> int:
    assert n != 3, "three"
    xs = [1, 2, 3, 4]
    return xs[n]


def _appended(xs: List[int], n: int) -> int:
    xs.append(n)
    return len(xs)


def _pair(text: str, pair: Tuple[int, str]) -> Tuple[str, Optional[int]]:
    return text + pair[1], pair[0] if pair[0] > 1 else None


def _perhaps(x: float, n: int) -> Optional[float]:
    return x * n if n > 0 else None


def _shifted(x: Tensor, n: int) -> Tensor:
    x.add_(1)
    return x * n


def _rounds(n: int) -> List[int]:
    return [i * i for i in range(n)]


def in_order_of_waits(n: int) -> Tuple[List[int], int, int]:
    xs = [n]
    later = torch.jit._awaitable(_appended, xs, -1)
    xs.append(7)
    if n > 1:
        xs.append(torch.jit._awaitable_wait(later))
    xs.append(8)
    a, b = torch.jit._awaitable_wait(later), torch.jit._awaitable_wait(later)
    return xs, a, b


def raised_at_the_wait(n: int) -> int:
    later = torch.jit._awaitable(_checked, n)
    if n < -5:
        return 0
    if n > 5:
        raise ValueError("another error")
    return torch.jit._awaitable_wait(later)


def of_several_types(n: int, text: str) -> Tuple[str, Optional[int], Optional[float]]:
    first = torch.jit._awaitable(_pair, text, (n, "é"))
    second = torch.jit._awaitable(_perhaps, 0.5, n)
    found, number = torch.jit._awaitable_wait(first)
    return found, number, torch.jit._awaitable_wait(second)


def from_lists(n: int) -> Tuple[int, int]:
    tasks: List[_Await[int]] = []
    xs: List[int] = []
    for i in range(n):
        if i % 2 == 0:
            tasks.append(torch.jit._awaitable(_appended, xs, i))
        else:
            tasks.append(torch.jit._awaitable(_checked, i))
    tasks.reverse()
    total = 0
    for task in tasks + tasks[:1]:
        total = total * 10 + torch.jit._awaitable_wait(task)
    return total, len(xs)


def by_name(n: int) -> int:
    table: Dict[str, _Await[List[int]]] = {}
    for i in range(n):
        table[str(i % 3)] = torch.jit._awaitable(_rounds, i)
    found = 0
    for name in table.keys():
        found += len(torch.jit._awaitable_wait(table[name]))
    return found + torch.jit._awaitable_wait(table["1"])[0]


def carried(n: int) -> int:
    later = torch.jit._awaitable(_checked, n)
    for i in range(n):
        if i == 2:
            later = torch.jit._awaitable(_checked, i)
    ready = torch.jit._awaitable_nowait(n)
    return torch.jit._awaitable_wait(later) + torch.jit._awaitable_wait(ready)


def _waits(later: _Await[int], n: int) -> int:
    return torch.jit._awaitable_wait(later) + n


def chained(n: int) -> int:
    first = torch.jit._awaitable(_checked, n)
    second = torch.jit._awaitable(_waits, first, n)
    task = torch.jit.fork(_waits, second, 5)
    return torch.jit.wait(task) + torch.jit._awaitable_wait(second)


def of_tensors(x: Tensor, n: int) -> Tuple[Tensor, Tensor]:
    later = [torch.jit._awaitable(_shifted, x, i) for i in range(n)]
    total = x * 1
    for i in range(n):
        total = total + torch.jit._awaitable_wait(later[-i])
    return total, x


_NUMBERS = [(n,) for n in (-9, -1, 0, 1, 2, 3, 4, 9)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (in_order_of_waits, _NUMBERS),
        (raised_at_the_wait, _NUMBERS),
        (of_several_types, [(n, "a") for n in (0, 1, 2)]),
        (from_lists, _NUMBERS),
        (by_name, _NUMBERS),
        (carried, _NUMBERS),
        (chained, _NUMBERS),
        (of_tensors, [(torch.ones(2), n) for n in (0, 1, 3)]),
    ],
)
def test_awaits_are_those_of_torch(
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
        assert _last(_outcome(reference, arguments)) == _last(outcome)
    assert isinstance(ours.plan_for(*calls[0]).native, NativeRun)


def _outcome(call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Return the result, or the error's message with its lines."""
    try:
        found = call(*[x.clone() if isinstance(x, Tensor) else x for x in arguments])
    except (RuntimeError, torch.jit.Error) as error:
        return str(error)
    return [x.tolist() if isinstance(x, Tensor) else x for x in found] if arguments[1:] else found


def _last(outcome: Any) -> Any:
    """Return a result, or the error's own message, which is at the end."""
    return outcome.strip().rpartition(": ")[2] if isinstance(outcome, str) else outcome


def counted(n: int) -> int:
    total = 0
    for i in range(n):
        rows = [torch.jit._awaitable(_rounds, j) for j in range(i % 3)]
        later = torch.jit._awaitable(_rounds, i)
        if i % 2 == 0:
            total += len(torch.jit._awaitable_wait(later)) + len(torch.jit._awaitable_wait(later))
        for row in rows:
            total += len(torch.jit._awaitable_wait(row))
    return total


def test_awaits_are_freed(tmp_path: Path) -> None:
    rows = sanitized(counted, tmp_path)
    assert max(left for left, _ in rows) < 10
    assert rows[5][1] == minits.script(counted)(5)


def test_an_await_is_no_result_of_c() -> None:
    def given_out(n: int) -> _Await[int]:
        return torch.jit._awaitable(_checked, n)

    with pytest.raises(NotNative):
        NativeFunction(minits.script(given_out).graph, "given_out")


def test_libraries_have_no_awaits(tmp_path: Path) -> None:
    with pytest.raises(NotNative, match="prim::awaitable"):
        write_library([*exported(minits.script(carried), "f")], tmp_path)
