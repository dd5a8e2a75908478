"""Sizes that no memory has: functions in C raise MemoryError, and no arithmetic of sizes wraps."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import minits
from minits.native.function import NativeFunction
from tests.support.needs import need_compiler

need_compiler()


def tabs(text: str, n: int) -> int:
    return len(text.expandtabs(n))


def to_the_left(text: str, n: int) -> int:
    return len(text.ljust(n))


def to_the_right(text: str, n: int) -> int:
    return len(text.rjust(n, "x"))


def in_the_middle(text: str, n: int) -> int:
    return len(text.center(n))


def with_zeros(text: str, n: int) -> int:
    return len(text.zfill(n))


def repeated(text: str, n: int) -> int:
    return len([text, text] * n)


def repeated_here(text: str, n: int) -> int:
    xs = [1, 2, 3]
    xs *= n
    return len(xs)


def doubled(text: str, n: int) -> int:
    xs = [0] * n
    return len(xs + xs)


OF_SIZES = [
    tabs, to_the_left, to_the_right, in_the_middle, with_zeros, repeated, repeated_here, doubled,
]  # fmt: skip


def _sizes() -> Iterator[int]:
    for power in (61, 62, 63):
        for more in (-2, -1, 0, 1):
            if 2**power + more < 2**63:
                yield 2**power + more


SANITIZED = "-fsanitize=undefined -fno-sanitize-recover=all -O1"
"""Flags by which sizes of signed numbers that wrap end the process."""


@pytest.mark.parametrize("flags", ["", SANITIZED], ids=["as usual", "sanitized"])
@pytest.mark.parametrize("function", OF_SIZES, ids=lambda each: each.__name__)
def test_sizes_that_wrap(
    function: Callable[..., Any], flags: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINITS_CFLAGS", flags)
    native = NativeFunction(minits.script(function).graph, function.__name__)
    assert native("\ta\t\t\t\t", 9) == function("\ta\t\t\t\t", 9)
    for size in _sizes():
        for text in ("\t", "a\t\t", "\t" * 8):
            with pytest.raises(MemoryError):
                native(text, size)


def test_negative_sizes_are_none() -> None:
    for function in OF_SIZES[:-1]:
        native = NativeFunction(minits.script(function).graph, function.__name__)
        for size in (-(2**63), -(2**61), -1, 0):
            expected = function("a\tb", max(size, -1))  # tabs of Python have 32 bits
            assert native("a\tb", size) == expected, (function.__name__, size)


def slices(a: int, b: int, step: int) -> list[int]:
    xs = [1, 2, 3, 4, 5]
    return xs[a:b] + xs[a:b:step]


def slices_of_text(a: int, b: int, step: int) -> str:
    text = "abcde"
    return text[a:b] + "|" + text[a:b:step]


def inserted(a: int, b: int, step: int) -> list[int]:
    xs = [1, 2, 3]
    xs.insert(a, 7)
    xs.insert(b, 8)
    return xs


BOUNDS = [-(2**63), 1 - 2**63, -(2**62), -(2**61), -1, 0, 2, 2**61, 2**62, 2**63 - 2, 2**63 - 1]


@pytest.mark.parametrize("function", [slices, slices_of_text, inserted], ids=lambda f: f.__name__)
def test_bounds_near_the_ends(
    function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINITS_CFLAGS", SANITIZED)
    native = NativeFunction(minits.script(function).graph, function.__name__)
    steps = [step for step in BOUNDS if step > 0]
    for a, b, step in itertools.product(BOUNDS, BOUNDS, steps):
        assert native(a, b, step) == function(a, b, step), (a, b, step)
