"""Statements about elements of two tensors, of each pair of dtypes: C and torch.jit agree."""

from __future__ import annotations

from copy import deepcopy
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from tests.support.agreement import agree, comparable
from tests.support.native_loops import compiled, loops_of, outcome
from tests.support.needs import need_compiler

need_compiler()

DTYPES = (torch.float32, torch.float64, torch.int64, torch.bool)
STATEMENTS = """
x[i] = y[0, i]
x[i] = y[0, i].item() * 1
x[i] = y[0, i].item() + x[i].item()
x[i] = r
x[i] = r * float(y[0, i])
x[i] = int(y[0, i].item())
x[i] = bool(y[0, i])
x[i] = y[0, i] + r
x[i] = y[0, i] - 1
x[i] = 2 - y[0, i]
x[i] = y[0, i] / 3
x[i] = x[i] + y[0, i]
x[i] = x[i] - y[0, i]
x[i] = x[i] * y[0, i]
x[i] = x[i] / y[0, i]
x[i] += y[0, i]
x[i] -= y[0, i]
x[i] *= y[0, i]
x[i] /= y[0, i]
x[i] += 1
x[i] -= 1
x[i] *= r
x[i] /= 3
x[i] = -y[0, i]
x[i] = y[0, i].abs()
x[i] = torch.minimum(x[i], y[0, i])
x[i] = torch.max(x[i], y[0, i] * 2)
x[i] = torch.sqrt(y[0, i])
x[i] = y[0, i] < x[i]
x[i] = y[0, i] >= 0.3
x[i] = (y[0, i] * 3 + x[i]) / 7
r = float(x[i] - y[0, i]) + float(x[i] + y[0, i])
r = float(y[0, i].item() * r)
r = float(y[0, i].abs() * float(x[i]))
a = int(y[0, i].item() * 2)
a = int(y[0, i].item() - a)
if bool(x[i] > y[0, i]): a += 1
if bool(y[0, i] - x[i]): a += 1
""".strip().splitlines()


def arguments(first: torch.dtype, second: torch.dtype) -> tuple[Any, ...]:
    x, y = torch.tensor([1.3, -0.4, 0.0]), torch.tensor([[0.7, -2.9, 1.1]])
    return x.to(first), y.to(second), 3, 2, 0.3


def source_of(statement: str) -> str:
    lines = statement.replace(": ", ":\n            ")
    head = "def f(x: Tensor, y: Tensor, n: int, a: int, r: float):"
    return f"{head}\n    for i in range(n):\n        {lines}\n    return x, y, a, r\n"


@pytest.mark.one_in(65, over="default")
@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("default", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_agrees(statement: str, default: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    source = source_of(statement)
    function, theirs = minits.CompilationUnit(source).f, torch.jit.CompilationUnit(source).f
    before, in_c = torch.get_default_dtype(), 0
    torch.set_default_dtype(default)
    try:
        for dtypes in product(DTYPES, repeat=2):
            values = arguments(*dtypes)
            wanted = outcome(theirs, values)
            for _ in range(2):
                found = outcome(function, values)
                assert agree(found, wanted, theirs.graph), (dtypes, found, wanted)
            in_c += bool(loops_of(function, deepcopy(values)))
    finally:
        torch.set_default_dtype(before)
    assert in_c


def made_of(x: Tensor, r: float, n: int) -> Tensor:
    for i in range(n):
        x[i] = r
    return x


def test_a_float_is_rounded_to_the_default_dtype(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default dtype may be another one in the next call."""
    monkeypatch.setenv("MINITS_NATIVE", "now")
    function, theirs = minits.script(made_of), torch.jit.script(made_of)
    before = torch.get_default_dtype()
    try:
        for default in (torch.float32, torch.float64, torch.bfloat16, torch.float32):
            torch.set_default_dtype(default)
            for dtype in (torch.float64, torch.float32):
                x = torch.zeros(2, dtype=dtype)
                for _ in range(3):
                    found, wanted = function(x.clone(), 0.1, 2), theirs(x.clone(), 0.1, 2)
                    assert torch.equal(found, wanted), default
    finally:
        torch.set_default_dtype(before)


def least_and_greatest(x: Tensor) -> Tensor:
    for i in range(x.size(0)):
        x[i, 0] = torch.minimum(x[i, 2], x[i, 3])
        x[i, 1] = torch.max(x[i, 2], x[i, 3])
    return x


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_zeros_and_nan_of_both_signs(dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    function = compiled(least_and_greatest, "now", monkeypatch)
    special = (0.0, -0.0, float("nan"), 1.0, -float("inf"))
    x = torch.tensor([[9.0, 9.0, a, b] for a in special for b in special], dtype=dtype)
    for _ in range(3):
        assert comparable(function(x.clone())) == comparable(least_and_greatest(x.clone()))
