"""Programs as C return what torch.jit does, and raise what generated Python does."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import torch

import minits
from minits.native.given import words_of
from minits.native.hot import NativeRun
from minits.types import types as t
from tests.support.native_calls import check_agreement, run_twice
from tests.support.needs import need_compiler

need_compiler()


def total(n: int) -> int:
    s = 0
    for i in range(n):
        if i % 3 == 1:
            continue
        s += i * i
    return s


def overflows(n: int, factor: int) -> int:
    state = 1
    for _ in range(n):
        state = state * factor + 1442695040888963407
    return state


def exchanged(n: int) -> tuple[int, int, float]:
    a, b, c = 0, 1, 0.5
    for _ in range(n):
        a, b, c = b, a + b, c * 1.5 + float(a)
    return a, b, c


def rotated(n: int) -> tuple[int, int, int]:
    a, b, c = 1, 2, 3
    for _ in range(n):
        a, b, c = b, c, a
    return a, b, c


def mandelbrot(re: float, im: float, most: int) -> int:
    x, y = 0.0, 0.0
    for i in range(most):
        x, y = x * x - y * y + re, 2.0 * x * y + im
        if x * x + y * y > 4.0:
            return i
    return most


def collatz(n: int, limit: int) -> tuple[int, float]:
    steps = 0
    top = float(n)
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        top = max(top, float(n))
        steps += 1
        if steps > limit:
            raise ValueError(f"too many steps: {steps}, up to {top}")
    return steps, top


def smallest_divisor(n: int) -> int:
    d = 2
    while d * d <= n:
        if n % d == 0:
            break
        d += 1
    return d if n % d == 0 else n


def nested(n: int, m: int) -> int:
    count = 0
    for i in range(n):
        for j in range(i, m, 2):
            if (i + j) % 5 == 0 and not (i > 3 or j < 2):
                count += 1
            elif i == j:
                count -= 1
    return count


def backwards(start: int, stop: int, step: int) -> int:
    s = 0
    for i in range(start, stop, step):
        s = s * 3 + i
    return s


def quotient(a: int, b: int) -> int:
    return a // b


def calls(n: int, d: int) -> int:
    s = 0
    for i in range(n):
        s += quotient(n, d - i)
    return s


def checked(n: int) -> float:
    x = 1.0
    while x < 1e6:
        assert n > 0, "n must be positive"
        x = x * 2.0 ** float(n)
    return x


def told_at_the_end(n: int, x: float, flag: bool) -> tuple[bool, tuple[float, int], bool]:
    while n > 3:
        n -= 2
        flag = not flag
        x = x / float(n)
    return flag, (x, n), x > 1.0 and flag


def returns_nothing(n: int) -> None:
    while n > 0:
        n -= 1


def rooted(n: int) -> float:
    s = 0.0
    for i in range(n):
        s += float(i - 2) ** -1.0
    return s


def beyond(x: float) -> int:
    n = 0
    while n < 1:
        n += round_down(x)
    return n


def round_down(x: float) -> int:
    return math.floor(x)


def wide(n: int, flag: bool) -> int:
    s = 0
    for i in range(n):
        s += 1 << i
        s += (3 if flag else 5) * (2000000000 if flag else 1) * (-7 if i % 2 == 0 else -(1 << 62))
        s ^= -1 - i
    return s


def squares(n: int) -> int:
    """How many powers are rounded otherwise than products."""
    count = 0
    for i in range(n):
        x = float(i) * 0.37 + 1.1
        if x**2 != x * x:
            count += 1
    return count


def truncated(x: float, n: int) -> tuple[float, float]:
    low, high = 0.0, 0.0
    for _ in range(n):
        low += float(int(x)) * 0.5
        low = float(int(low))
        high = float(math.ceil(x * 0.5))
    return low, high


def returned_early(n: int, x: float) -> float:
    for i in range(n):
        if i > 3:
            return x * float(i)
        x = x + 1.0
    if x > 2.0:
        y = x
    else:
        return -1.0
    return y / 2.0


class Pair(NamedTuple):
    first: int
    second: float


def paired(n: int) -> Pair:
    while n > 5:
        n -= 1
    return Pair(n, 0.5)


CALLS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (total, (0,)), (total, (1000,)), (total, (-3,)),
    (overflows, (100, 6364136223846793005)),
    (exchanged, (60,)), (exchanged, (200,)),
    (rotated, (4,)), (rotated, (5,)),
    (mandelbrot, (-0.5, 0.5, 100)), (mandelbrot, (0.4, 0.4, 100)),
    (collatz, (27, 1000)), (collatz, (27, 10)), (collatz, (1, 0)),
    (smallest_divisor, (97 * 101,)), (smallest_divisor, (97,)),
    (nested, (9, 30)),
    (backwards, (10, -10, -3)), (backwards, (0, 10, 4)), (backwards, (0, 10, 0)),
    (calls, (10, 20)), (calls, (10, 5)),
    (checked, (1,)), (checked, (0,)),
    (told_at_the_end, (9, 100.0, True)), (told_at_the_end, (8, -1.0, False)),
    (returns_nothing, (3,)),
    (rooted, (2,)), (rooted, (5,)),
    (returned_early, (9, 1.0)), (returned_early, (2, 1.0)), (returned_early, (0, 1.0)),
    (squares, (20_000,)),
    (truncated, (-0.3, 3)), (truncated, (-0.0, 3)), (truncated, (-7.9, 3)),
    (beyond, (2.5,)), (beyond, (1e300,)),
    (wide, (70, True)), (wide, (70, False)),
]  # fmt: skip


@pytest.mark.one_in(5, over="")
@pytest.mark.parametrize(
    ("function", "values"), CALLS, ids=[f"{f.__name__}{values}" for f, values in CALLS]
)
def test_agrees(function: Callable[..., Any], values: tuple[Any, ...], monkeypatch: Any) -> None:
    check_agreement(function, values, monkeypatch)


def test_the_text_shows_the_lines_of_the_program(monkeypatch: Any) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    native = minits.script(exchanged).plan_for(3).native
    assert native is not None
    code = native.native.text
    assert "test_native_programs.py:" in code
    assert "a, b, c = b, a + b, c * 1.5 + float(a)" in code


def found_nothing() -> int | None:
    return ({"b": 1}, 1)[-2].get("B")


def test_none_that_passes_have_found_is_none(monkeypatch: Any) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    compiled = minits.script(found_nothing)
    assert [compiled(), compiled()] == [None, None]
    assert compiled.plan_for().native is not None


def test_a_hot_program_goes_over_to_c(monkeypatch: Any) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "hot")
    monkeypatch.setattr("minits.native.hot.WORTH_BUILDING", -1.0)
    monkeypatch.setattr("minits.native.function.is_built", lambda text: False)
    compiled = minits.script(total)
    results = [compiled(100), compiled(100)]
    native = compiled.plan_for(100).native
    assert native is not None
    assert native._job is not None
    native._job.result(waits=True)
    assert [*results, compiled(100)] == [total(100)] * 3  # this call takes over what was built
    assert "runs as C" in compiled.plan_report()
    assert compiled(100) == total(100)


def test_without_a_compiler_it_stays_python(monkeypatch: Any) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    monkeypatch.setenv("CC", "/nothing/cc")
    compiled = minits.script(total)
    assert [compiled(10), compiled(10)] == [total(10)] * 2
    assert "runs as Python: there is no C compiler" in compiled.plan_report()


def test_what_is_not_native_is_a_remark_at_its_line(monkeypatch: Any) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")

    def spread(n: int) -> str:
        text = "a"
        for _ in range(n):
            text = text.format(3)
        return text

    (remark,) = minits.script(spread).remarks(3)
    assert remark.code == "not-native(aten::format)"
    assert remark.range is not None
    assert remark.range.text.startswith("text.format")


def test_named_tuples_stay_what_they_are(monkeypatch: Any) -> None:
    compiled, found = run_twice(paired, (9,), "now", monkeypatch)
    assert found == "Pair(first=5, second=0.5)"
    assert isinstance(compiled.plan_for(9).native, NativeRun)


def test_a_line_that_goes_on_ends_its_comment(monkeypatch: Any) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    native = minits.script(returned_early).plan_for(3, 1.0).native
    assert native is not None
    assert "x = x +" in native.native.text
    assert "\\\n" not in native.native.text


def test_a_symbol_for_a_number_runs_as_python(monkeypatch: Any) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    compiled = minits.script(total)
    assert compiled(5) == total(5)
    run = compiled.plan_for(5).native
    assert run is not None
    monkeypatch.setattr(run, "python", lambda n: "python")
    assert run(object()) == "python"
    assert run(5) == total(5)
    with pytest.raises(ctypes.ArgumentError):
        words_of([(1, object())], t.ListType(t.TupleType((t.INT, t.INT))))
    with pytest.raises(ctypes.ArgumentError):
        words_of((1, object()), t.TupleType((t.INT, t.FLOAT)))


def notes(table: dict[str, int], found: list[int], n: int) -> list[int]:
    table["n"] = n
    found.append(n)
    return found


def forks(n: int) -> tuple[dict[str, int], list[int], bool]:
    table, found = {"m": 0}, [1]
    same = torch.jit.wait(torch.jit.fork(notes, table, found, n))
    same.append(7)
    return table, found, found == same


def test_a_task_writes_to_the_lists_of_the_program(monkeypatch: Any) -> None:
    """Only a program's own arguments are copies."""
    _, found = run_twice(forks, (3,), "now", monkeypatch)
    assert found == repr(torch.jit.script(forks)(3)) == "({'m': 0, 'n': 3}, [1, 3, 7], True)"
