"""The defaults of a class's methods, used by its own methods."""

from __future__ import annotations

import pytest

import minits
from minits.diagnostics import CompileError
from tests.support.extended import check_extension


class Interval:
    def __init__(self, low: float, high: float = 1.0) -> None:
        self.low = low
        self.high = high

    def width(self, scale: float = 2.0) -> float:
        return (self.high - self.low) * scale

    def upper(self) -> float:
        return Interval((self.low + self.high) / 2).width() + self.width()


def upper(low: float) -> float:
    return Interval(low).upper()


def test_the_torch_dialect_refuses_the_call_and_names_the_extension() -> None:
    with pytest.raises(CompileError, match="Argument high not provided") as caught:
        minits.script(upper)
    places = [each.range.text for each in caught.value.diagnostics if each.range is not None]
    assert places == ["Interval", "self.width"]


def test_a_method_uses_the_defaults_of_its_class() -> None:
    check_extension(upper, "TS402", (0.5,), (-3.0,))
