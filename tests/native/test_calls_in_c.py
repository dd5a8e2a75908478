"""Functions that are called several times: each is in the C once, and does what its calls did."""

from __future__ import annotations

import re
from copy import deepcopy
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.codegen.script_traceback import class_name_of, message_of
from minits.kernels.cpu.c_compiler import without_comments
from minits.native.printer import printed
from tests.support.native_calls import run_twice
from tests.support.native_loops import compiled
from tests.support.needs import need_compiler
from tests.support.sanitizers import sanitized

need_compiler()


def callees(function: Any) -> dict[str, int]:
    """Return the functions that a program's function calls in C, and how often the C names each."""
    graph = minits.script(function).graph_after(["optimize"])
    printer, text = printed(graph, function.__name__)
    names = [callee.name for callee in printer.callees]
    assert len({*names}) == len(names)
    text = without_comments(text)
    return {name: len(re.findall(rf"\b{name}\(", text)) - 1 for name in names}


def told(call: Any, values: tuple[Any, ...]) -> Any:
    """Return the result of a call and the arguments after it, or all that its error tells."""
    values = deepcopy(values)
    try:
        return repr(call(*values)), repr(values)
    except RuntimeError as error:
        return class_name_of(error), message_of(error), str(error)


def check(function: Any, values: tuple[Any, ...], monkeypatch: Any, native: str = "now") -> Any:
    """Check that a function runs as C, and tells what it would with all calls inlined.

    That is what generated Python tells, which does not always know the calls. Return what it tells.
    """
    script = compiled(function, native, monkeypatch)
    told(script, values)
    found = told(script, values)
    assert "runs as C" in script.plan_report()
    with monkeypatch.context() as patched:
        patched.setattr("minits.native.printer.outline_calls", lambda *given, **options: None)
        inlined = compiled(function, native, monkeypatch)
        told(inlined, values)
        assert found == told(inlined, values)
    python = compiled(function, "off", monkeypatch)
    told(python, values)
    assert found[:2] == told(python, values)[:2]
    return found


def checked_ratio(a: int, b: int, least: int) -> int:
    if a < least:
        raise ValueError(f"{a} is less than {least}")
    n = a // b
    while n > 5:
        n -= 2 + b * b
    return n * 3 - least % (n * n + 1)


def ratios(xs: list[int], a: int, b: int) -> int:
    total = checked_ratio(a, b, -7)
    for x in xs:
        if x > 5:
            total += checked_ratio(x, b - x, a)
        else:
            total -= checked_ratio(a, x, b)
    return total + checked_ratio(b, a, total)


@pytest.mark.slow
def test_a_function_of_numbers_is_there_once_and_raises_where_each_call_stands(
    monkeypatch: Any,
) -> None:
    assert callees(ratios) == {"checked_ratio": 3}  # one is for -7
    calls = [([1, 9], 7, 3), ([], -8, 1), ([], 5, 0), ([9], 7, 9), ([3], 3, 7), ([1, 0], 7, 3)]
    found = [check(ratios, values, monkeypatch) for values in calls]
    calls_told = [re.findall(r'", line (\d+), in (\w+)', each[2]) for each in found if each[2:]]
    assert {tuple(names) for _, names in ([*zip(*each, strict=True)] for each in calls_told)} == {
        ("ratios", "checked_ratio")
    }
    assert len({each[0] for each in calls_told}) == 3  # the lines of the calls


def within(table: dict[str, int], key: str, step: int) -> int:
    at = table[key]
    table[key] = at + step
    if at > 40:
        raise KeyError(f"{key}: {at}")
    return at * step + len(table)


def twice_within(table: dict[str, int], keys: list[str], step: int) -> int:
    total = 0
    for key in keys:
        total += within(table, key, step)
        total *= 1 + within(table, keys[0], total % 5)
        keys = keys[:3]
    return total


def counted(table: dict[str, int], keys: list[str], n: int) -> tuple[int, dict[str, int]]:
    a = twice_within(table, keys, n)
    table["new"] = a
    keys.append("new")
    b = twice_within(table, keys, a)
    return a + within(table, keys[-1], b), table


@pytest.mark.slow
def test_functions_that_call_others_raise_from_each_depth(monkeypatch: Any) -> None:
    assert callees(counted) == {"twice_within": 2, "within": 3}
    for values in (
        ({"a": 1, "b": 2}, ["a", "b"], 2),
        ({"a": 1}, ["a", "c"], 3),
        ({"a": 41}, ["a"], 2),
        ({"a": 1, "b": 40}, ["a", "b"], 5),
        ({"b": 1}, [], 2),
        ({"a": 7}, ["a", "a"], -8),
    ):
        check(counted, values, monkeypatch)


def moved(xs: list[int], rows: list[list[int]], n: int) -> tuple[list[int], list[int], int | None]:
    ys = xs
    if n % 2 == 0:
        ys = [n, len(xs)]
    rows.append(ys)
    xs.append(n)
    least: int | None = None
    for row in rows:
        if len(row) > 2:
            least = row[0]
    return ys, xs, least


def moves(
    xs: list[int], n: int, rows: list[list[int]]
) -> tuple[list[int], list[list[int]], list[int], int]:
    first = xs[0]
    a, b, c = moved(xs, rows, n)
    for i in range(n):
        a, d, e = moved(b, rows, i)
        first += xs[0] + (e if e is not None else 100)
        d[0] = i
        b = [first] if i == 3 else a
    a.append(first + (c if c is not None else 0))
    return a, rows, xs, xs[0]


@pytest.mark.slow
def test_lists_that_go_in_and_out_are_the_same_ones(monkeypatch: Any) -> None:
    assert callees(moves) == {"moved": 2}
    for n in range(7):
        check(moves, ([5], n, [[7]]), monkeypatch)


class Point:
    def __init__(self, x: float, y: float) -> None:
        self.x = x
        self.y = y

    def turn(self, by: float) -> float:
        x = self.x * by - self.y
        self.y = self.y * by + self.x
        self.x = x
        if x > 1e6:
            raise OverflowError(f"{x} by {by}")
        return x + self.y / (by + 1.0)


def turned(n: int) -> tuple[float, float]:
    p = Point(1.0, 2.0)
    points = [p, Point(0.5, 0.25)]
    total = 0.0
    for i in range(n):
        total += p.turn(float(i))
        total -= points[i % 2].turn(total)
        p = points[1]
    return total, points[0].x


def test_methods_of_objects_write_to_them(monkeypatch: Any) -> None:
    assert callees(turned) == {"turn": 2}
    for n in (0, 1, 4, 9):
        check(turned, (n,), monkeypatch)


class Color(Enum):
    RED = 1
    BLUE = 4


class Pair(NamedTuple):
    left: str
    right: list[int]


def shown(pair: Pair, color: Color, z: complex, scale: int | None) -> str:
    text = "red" if color == Color.RED else color.name.lower()
    z = z * z + 1.5
    if scale is not None:
        pair.right.append(scale)
    print(text, z, pair.left)
    return f"{pair.left}{text}{abs(z)}{sum(pair.right)}"


def shows(word: str, colors: list[Color], n: int | None) -> str:
    pair = Pair(word, [1, 2])
    a = shown(pair, colors[-1], complex(len(word), 0.5), n)
    for color in colors:
        a = shown(Pair(a, pair.right), color, complex(len(a), 2.0), n)
        pair = Pair(a, pair.right[1:])
    return a + shown(pair, Color.BLUE, 2.5 + 0j, None)


@pytest.mark.slow
def test_members_tuples_complex_numbers_and_what_is_printed(
    monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callees(shows) == {"shown": 2}
    printed_texts = []
    for native in ("now", "off"):
        for values in (("a", [Color.RED], 3), ("é", [Color.BLUE, Color.RED], None)):
            found = run_twice(shows, values, native, monkeypatch)[1]
            assert isinstance(found, str)
            printed_texts.append((found, capsys.readouterr().out))
    assert printed_texts[:2] == printed_texts[2:]


def scaled(x: Tensor, w: Tensor, out: list[Tensor], kind: str) -> tuple[Tensor, int]:
    y = torch.relu(x @ w) + x
    if kind == "sum":
        y = y.cumsum(0)
    x.add_(1.0)
    out.append(y)
    if y.size(0) > 3:
        raise IndexError(f"{y.size(0)} rows of {kind}")
    return y * 0.5, y.dim()


def scales(x: Tensor, w: Tensor, n: int, out: list[Tensor]) -> tuple[Tensor, list[Tensor], Tensor]:
    y, d = scaled(x, w, out, "sum")
    for i in range(n):
        y, e = scaled(y, w, out, "sum")
        d += e
        z, e = scaled(x, w, out, "plain")
        y = torch.cat([y, z])[: d + i]
    y, _ = scaled(y, w + y.mean(), out, "plain")
    return y, out, x


@pytest.mark.slow
def test_tensors_are_written_to_and_functions_are_made_for_what_is_constant(
    monkeypatch: Any,
) -> None:
    assert callees(scales) == {"scaled": 2, "scaled_1": 2}
    for rows, n, columns in ((2, 0, 2), (1, 1, 2), (2, 3, 2), (4, 0, 2), (2, 1, 3)):
        values = (torch.ones(rows, 2), torch.full((columns, 2), 0.25), n, [torch.ones(1)])
        found = check(scales, values, monkeypatch, "whole")
        assert (len(found) == 3) == (rows == 4 or columns == 3 or n == 3)


class Counter(nn.Module):
    seen: list[int]

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.seen = []
        self.weight = nn.Parameter(torch.tensor([0.5, 2.0]))

    def step(self, x: Tensor, by: int) -> Tensor:
        self.count += by
        self.seen.append(self.count)
        if self.count > 50:
            raise ValueError(f"{self.count} steps: {self.seen}")
        y = x * self.weight + self.count
        return y.clamp(max=9.0 + by) - y.mean()

    def forward(self, x: Tensor, n: int) -> Tensor:
        x = self.step(x, n)
        for i in range(n):
            x = self.step(x, i * self.count)
        return self.step(x, self.seen[0]) + self.count


def test_methods_of_a_module_set_its_attributes(monkeypatch: Any) -> None:
    found: dict[str, list[Any]] = {"whole": [], "off": []}
    for native, each in found.items():
        module = Counter()
        script = compiled(module, native, monkeypatch)
        for n in (0, 2, 3, 1, 9):
            with torch.no_grad():
                each.append((*told(script, (torch.ones(2), n))[:2], module.seen[:]))
        if native == "whole":
            assert "runs as C" in script.plan_report()
    assert found["whole"] == found["off"]
    assert found["whole"][-1][0] == "ValueError"


def size_of(x: int | str | list[int], by: int) -> int:
    n = by
    if isinstance(x, int):
        n += x * 2
    elif isinstance(x, str):
        n += len(x) - by
    else:
        for y in x:
            n += y % (by + 1)
    return n


def sizes(a: int | str | list[int], b: Any, k: int) -> int:
    t = size_of(a, k)
    if isinstance(b, int):
        t += size_of(b, t)
    elif isinstance(b, str):
        t += size_of(a, t - 1) + size_of(b, 3)
    return t + size_of(a, t)


def quiet(x: Tensor, k: int) -> Tensor:
    with torch.no_grad():
        y = x * k + x.sum()
        for i in range(k):
            y = y.view(-1, i + 1).sum(1)
    return y + 1


def quiets(x: Tensor, k: int) -> Tensor:
    y = quiet(x, k)
    return quiet(y, k + 1) + quiet(x, k).sum()


def push(xs: list[int | None], n: int) -> None:
    if n > 2:
        xs.append(None)
        return
    while True:
        n += 1
        if n % 5 == 0:
            break
        xs.append(n)
    if len(xs) > 30:
        raise RuntimeError("full")


def pushes(xs: list[int | None], push_1: int) -> list[int | None]:
    push(xs, push_1)
    for register in range(push_1):
        push(xs, register)
        xs.append(push_1)
    push(xs, len(xs))
    return xs


def pair_of(d: dict[str, tuple[int, float]], k: str, z: float | None) -> tuple[int, float] | None:
    if k not in d:
        return None
    i, x = d[k]
    if z is not None and x > z:
        d[k] = (i + 1, x - z)
        return d[k]
    if i < 0:
        raise IndexError(k)
    return (i, x)


def pairs_of(
    d: dict[str, tuple[int, float]], keys: list[str], z: float | None
) -> tuple[int, list[tuple[int, float] | None]]:
    n = 0
    found: list[tuple[int, float] | None] = []
    for k in keys:
        a, b = pair_of(d, k, z), pair_of(d, k + k, z)
        if a is not None:
            n += a[0]
        if b is not None:
            n -= b[0]
        found.append(a)
    return n, found


OTHERS: list[tuple[Any, dict[str, int], list[tuple[Any, ...]]]] = [
    (sizes, {"size_of": 2}, [(3, "ab", 2), ("xyz", 4, 1), ([1, 2, 3], "q", 7), ([4], -1, -1)]),
    (quiets, {"quiet": 3}, [(torch.arange(6.0), k) for k in range(4)]),
    (pushes, {"push": 3}, [([], 1), ([], 3), ([1, None], 2), ([None] * 31, 0), ([], 0)]),
    (pairs_of, {"pair_of": 2}, [
        ({"a": (1, 2.0), "aa": (-1, 0.5)}, ["a", "b"], None),
        ({"a": (1, 2.0), "aa": (3, 5.0)}, ["a", "a"], 1.0),
        ({}, [], None),
    ]),
]  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("function", "calls", "values"), OTHERS)
def test_values_of_other_types(
    function: Any, calls: dict[str, int], values: list[tuple[Any, ...]], monkeypatch: Any
) -> None:
    assert callees(function) == calls
    for each in values:
        check(function, each, monkeypatch, "whole")
    assert torch.is_grad_enabled()


def dropped(words: list[str], rows: list[list[str]], n: int) -> tuple[str, list[str]]:
    made = [str(n) + word for word in words]
    if n % 3 == 0:
        made = words
    elif n == 7:
        raise ValueError("seven")
    rows.append(made)
    if len(rows) > 2:
        rows = rows[1:]
    return made[0], rows[-1]


def emptied(rows: list[list[str]], row: list[str], n: int) -> int:
    rows.clear()
    for i in range(n % 4):
        row.append(str(i))
        rows.append([str(i) + "x" for word in row])
    return len(rows) + len(row)


def drops(n: int) -> int:
    words = ["a", "b"]
    rows = [words]
    total = 0
    for i in range(n):
        word, words = dropped(words, rows, i % 7)
        other, _ = dropped([word[:4]], [words], i % 5)
        total += len(other)
        rows.append([word, other])
        total += emptied(rows, rows[0], i)
        rows.append(["a", "b"])
        total += emptied(rows, rows[-1], n)
        rows.append(words)
    return total + dropped(words, rows, n)[0].count("a")


def test_sanitizers_find_nothing_and_calls_leave_no_lists(tmp_path: Path, monkeypatch: Any) -> None:
    assert callees(drops) == {"dropped": 2, "emptied": 2}
    rows = sanitized(drops, tmp_path)
    assert rows[40][1] == drops(40)
    monkeypatch.setattr("minits.native.printer.outline_calls", lambda *given, **options: None)
    inlined = sanitized(drops, tmp_path)
    assert [result for _, result in rows] == [result for _, result in inlined]
    assert all(x <= y for (x, _), (y, _) in zip(rows, inlined, strict=True))
