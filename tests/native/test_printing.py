"""Programs as C print what generated Python does, and when: also before an error."""

from __future__ import annotations

import io
import sys
from enum import Enum
from typing import Any

import pytest

from minits.native.hot import NativeRun
from tests.support.native_loops import compiled
from tests.support.needs import need_compiler

need_compiler()


class Side(Enum):
    LEFT = 1
    RIGHT = 2


def told(n: int, words: list[str], side: Side, z: complex) -> int:
    print("start", n, "é")
    for i in range(n):
        print(i, 0.5 * float(i), i % 2 == 0, words, [i, i + 1], [0.1], [True], None, side, z)
        if i == 2:
            print()
            raise ValueError(f"{i} and {words}")
    print(f"{side} {z}", "%s is %d of 100%%" % (words, n))  # noqa: UP031
    return n


CALLS: list[tuple[Any, ...]] = [
    (0, [], Side.LEFT, 1j),
    (2, ["a", ""], Side.RIGHT, complex(-0.0, float("nan"))),
    (3, ["é"], Side.LEFT, complex(float("-inf"), -0.0)),
]


def outcomes(mode: str, monkeypatch: Any, capsys: Any) -> list[Any]:
    function = compiled(told, mode, monkeypatch)
    found = []
    for values in CALLS * 2:
        try:
            result = function(*values)
        except Exception as error:
            result = type(error).__name__, str(error)
        found.append((result, capsys.readouterr().out))
    assert isinstance(function.plan_for(*CALLS[0]).native, NativeRun) == (mode == "now")
    return found


def test_it_prints_the_same(monkeypatch: Any, capsys: Any) -> None:
    expected = outcomes("off", monkeypatch, capsys)
    assert outcomes("now", monkeypatch, capsys) == expected
    assert "start 3 é\n0 0. True" in expected[2][1]


class Closed(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError("closed")


def test_what_writing_raises_is_raised(monkeypatch: Any) -> None:
    function = compiled(told, "now", monkeypatch)
    for _ in range(2):
        function(*CALLS[0])
    monkeypatch.setattr(sys, "stdout", Closed())
    with pytest.raises(OSError, match="closed"):
        function(*CALLS[0])
