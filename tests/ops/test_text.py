"""The text of values, against what TorchScript prints."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

import minits
from minits.ops.errors import ScriptError
from minits.ops.implementations.text import format_value, percent_format
from minits.runtime.interpreter import run


def str_of_tensor(x: torch.Tensor) -> str:
    return str(x)


def percent(a: float, b: int, c: str) -> str:
    return "%d|%i|%e|%E|%f|%F|%s|%s|%%|%c" % (  # noqa: UP031
        a,
        b,
        a,
        a,
        a,
        b,
        c,
        a,
        "x",
    )


def values(a: float, b: int, c: str, d: bool) -> str:
    return "{} {} {} {} {} {} {} {}".format(  # noqa: UP032
        a, b, c, d, [a, a], (a, c), {c: b}, [(b,)]
    )


TENSORS = [
    torch.ones(2),
    torch.arange(12).reshape(3, 4),
    torch.tensor([[1.5, -2.25], [1000.125, 3.0]]),
    torch.tensor([1.5e6, 2.25e6]),
    torch.tensor([1.5e-6, 2.25e-6]),
    torch.tensor(1.5),
    torch.tensor(3),
    torch.empty(0),
    torch.empty(0, 3),
    torch.arange(12.0).reshape(2, 3, 2) / 7,
    torch.arange(16.0).reshape(2, 2, 2, 2),
    torch.tensor([True, False]),
    torch.arange(60.0).reshape(2, 30) / 7,
    torch.tensor([1.0, math.nan, math.inf]),
    torch.tensor([1.5, math.nan, -math.inf]),
    torch.tensor([1e10, 1.0]),
    torch.tensor([1e-3, 1e3]),
    torch.tensor([-100.0, 0.5]),
    torch.ones(2, dtype=torch.float16),
    torch.ones(3, requires_grad=True),
    torch.tensor([[1e-120, 1.5]], dtype=torch.float64),
    torch.tensor([123456.5, 2.0]),
    torch.tensor([math.nan]),
    torch.arange(40) * 10**8,
    torch.tensor(12345678.9),
    torch.tensor(1e-7),
    torch.tensor([1234567.0, 7.0]),
    torch.tensor([123456789.0, 7.0]),
    torch.arange(8.0).reshape(2, 2, 2) * 1e6 + 0.5,
    torch.arange(80.0).reshape(2, 40) * 1e6 + 0.5,
]  # fmt: skip


@pytest.fixture(scope="module")
def oracle() -> Any:
    return {f.__name__: torch.jit.script(f) for f in (str_of_tensor, percent, values)}


@pytest.mark.parametrize("tensor", TENSORS, ids=lambda x: f"{list(x.shape)}-{x.dtype}")
def test_tensors(oracle: Any, tensor: torch.Tensor) -> None:
    assert format_value(tensor) == oracle["str_of_tensor"](tensor)


@pytest.mark.parametrize(
    "a",
    [
        0.0,
        -0.0,
        1.0,
        -2.5,
        1e10,
        1e20,
        1e-7,
        0.1,
        math.inf,
        -math.inf,
        math.nan,
        -math.nan,
        123456.789,
    ],
)
def test_numbers(oracle: Any, a: float) -> None:
    expected = oracle["values"](a, -3, "s", True)
    found = " ".join(map(format_value, (a, -3, "s", True, [a, a], (a, "s"), {"s": -3}, [(-3,)])))
    assert found == expected


@pytest.mark.parametrize("a", [0.0, -2.5, 1e10, 0.1, 123456.789, 1e-9, math.nan, -math.nan])
def test_percent_format(oracle: Any, a: float) -> None:
    pattern = "%d|%i|%e|%E|%f|%F|%s|%s|%%|%c"
    expected = oracle["percent"](a, 7, "s")
    assert percent_format(pattern, (a, 7, a, a, a, 7, "s", a, "x")) == expected


@pytest.mark.parametrize(
    "pattern, values", [("%d", ("a",)), ("%d %d", (1,)), ("%d", (1, 2)), ("%5d", (1,)), ("%", ())]
)
def test_percent_format_faults(pattern: str, values: Any) -> None:
    with pytest.raises(ScriptError):
        percent_format(pattern, values)


def ordered(a: str, b: str) -> tuple[bool, bool, bool, bool, bool, int, bool]:
    part = a[:1]  # no valid UTF-8, where `a` begins with a character of two bytes
    found = [b, part, a]
    found.sort()
    first = found.index(part)
    return part < b, part <= b, part > b, part >= b, part == b, first, sorted(found)[0] == part


@pytest.mark.parametrize(("a", "b"), [("é", "é"), ("é", "z"), ("ab", "aa"), ("é", "\u20ac")])
def test_strings_are_ordered_by_their_bytes(a: str, b: str) -> None:
    expected = torch.jit.script(ordered)(a, b)
    compiled = minits.script(ordered)
    assert [compiled(a, b), compiled(a, b), run(compiled.graph, a, b)] == [expected] * 3
