"""Operators of complex and other numbers: Python's results by every way to run a program.

Quotients by zero, powers of zero and signs of zeros are torch's.
"""

from __future__ import annotations

import linecache
import math
from typing import Any

import pytest
import torch

import minits

NUMBERS: dict[str, list[Any]] = {
    "int": [2, 0, -3],
    "float": [2.5, 3.0],
    "bool": [True, False],
    "complex": [3 + 4j, 3 + 0j, -1j],
}
OPERATORS = "+ - * / // % ** == != < <= > >=".split()
PAIRS = [(a, b) for a in NUMBERS for b in NUMBERS if "complex" in (a, b)]


def function(text: str) -> Any:
    linecache.cache[f"<{text}>"] = (len(text), None, text.splitlines(True), f"<{text}>")
    names = {"__name__": "complex_pairs", "torch": torch}
    exec(compile(text, f"<{text}>", "exec"), names)
    return names["f"]


def outcome(called: Any, *arguments: Any) -> Any:
    try:
        return called(*arguments)
    except ZeroDivisionError:
        return "infinite"
    except (RuntimeError, TypeError) as error:
        assert "INTERNAL" not in str(error)
        return "infinite" if "negative power" in str(error) else "refused"


def agree(found: Any, expected: Any) -> bool:
    if isinstance(expected, complex):
        return type(found) is complex and abs(found - expected) <= 1e-12 * abs(expected)
    if expected == "infinite":
        return found == "infinite" or found == 0 or not math.isfinite(abs(found))
    return type(found) is type(expected) and bool(found == expected)


def test_the_measure() -> None:
    assert (
        agree(1j, 1j)
        and not agree(1j, 2j)
        and not agree(None, True)
        and agree("refused", "refused")
    )


@pytest.mark.one_in(6)
@pytest.mark.parametrize("operator", OPERATORS)
def test_pairs(operator: str) -> None:
    for first, second in PAIRS:
        program = function(f"def f(a: {first}, b: {second}):\n    return a {operator} b\n")
        try:
            compiled = minits.script(program)
        except minits.CompileError:
            with pytest.raises(RuntimeError):
                torch.jit.script(program)
            continue
        for a in NUMBERS[first]:
            for b in NUMBERS[second]:
                expected = outcome(program, a, b)
                folded = function(f"def f():\n    return ({a!r}) {operator} ({b!r})\n")
                ways = [compiled.interpret, compiled, compiled, compiled]
                found = [outcome(way, a, b) for way in ways]
                found += [outcome(minits.script(folded)) for _ in range(2)]
                assert all(agree(each, expected) for each in found), (a, b, found, expected)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("operator", ["/", "**", "==", "!=", "<", "//"])
def test_in_c(operator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    for first, second in [("complex", "int"), ("float", "complex"), ("bool", "complex")]:
        program = function(f"def f(a: {first}, b: {second}):\n    return a {operator} b\n")
        compiled = minits.script(program)
        for a, b in zip(NUMBERS[first], NUMBERS[second], strict=False):
            for _ in range(2):
                assert agree(outcome(compiled, a, b), outcome(program, a, b)), (a, b)


def branch(z: complex, zs: list[complex]) -> tuple[str, int]:
    n = 0
    for each in zs:
        if each == 0:
            n += 1
    if z == 3:
        return "equal", n
    if z != 3:
        return "different", n
    return "neither", n


def test_branches() -> None:
    compiled = minits.script(branch)
    for z in (3 + 0j, 3j):
        for _ in range(3):
            assert compiled(z, [0j, 1j, 0j]) == branch(z, [0j, 1j, 0j])


def numbers(z: complex, n: int) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.tensor([z, 1j]), torch.tensor([[z], [z * n]])


def test_tensors_of_lists() -> None:
    compiled = minits.script(numbers)
    for _ in range(3):
        for found, expected in zip(compiled(3 + 4j, 2), numbers(3 + 4j, 2), strict=True):
            assert found.dtype == expected.dtype and torch.equal(found, expected)


def further(z: complex) -> tuple[complex, float, bool]:
    half = z / 2
    return half - z, abs(half + 1) + 0.5, half == z**2


def test_a_quotient_is_used_further(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a float by its type."""
    for mode in ("off", "now"):
        monkeypatch.setenv("MINITS_NATIVE", mode)
        compiled = minits.script(further)
        for _ in range(3):
            assert compiled(3 + 4j) == further(3 + 4j)
