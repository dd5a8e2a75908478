"""Functions of `math` that return ints: exact for ints that no float holds, in every way to run."""

from __future__ import annotations

import math
from typing import Any

import pytest

import minits

BEYOND_FLOATS = [2**53 + 1, 2**62 + 1, 2**63 - 1, -(2**63), -(2**53) - 1, 7]


def rounded_up(x: int) -> int:
    return math.ceil(x)


def rounded_down(x: int) -> int:
    return math.floor(x)


def of_a_constant() -> tuple[int, int]:
    return math.ceil(9007199254740993), math.floor(9007199254740993)


@pytest.mark.parametrize("mode", ["off", "now"])
@pytest.mark.parametrize("function", [rounded_up, rounded_down])
def test_an_int_stays_itself(function: Any, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_NATIVE", mode)
    compiled = minits.script(function)
    for x in BEYOND_FLOATS * 2:
        assert compiled(x) == compiled.interpret(x) == function(x)


def test_of_a_constant() -> None:
    compiled = minits.script(of_a_constant)
    assert compiled() == compiled() == of_a_constant()
