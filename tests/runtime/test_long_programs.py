"""Programs that are deep because they are long, within Python's limit on recursion."""

from __future__ import annotations

import sys
import threading

import pytest
import torch

import minits
from minits.recursion import DEEPEST, deep_recursion
from minits.runtime.digest import digest_of

LENGTH = 250


def _function(lines: list[str]) -> str:
    return "def f(x: int, n: int):\n" + "".join(f"    {line}\n" for line in lines)


def _elifs() -> str:
    words = ["if", *["elif"] * LENGTH]
    lines = [(f"{word} n == {i}:", f"    x = x + {i}") for i, word in enumerate(words)]
    return _function([line for pair in lines for line in pair] + ["return x"])


def _functions() -> str:
    first = "def f0(x: int):\n    return x + 1\n"
    others = [f"def f{i}(x: int):\n    return f{i - 1}(x) + 1\n" for i in range(1, LENGTH)]
    return first + "".join(others) + _function([f"return f{LENGTH - 1}(x) + n"])


PROGRAMS = {
    "sum": _function([f"return {' + '.join(['x'] * LENGTH)} + n"]),
    "choice": _function([f"return {' '.join(f'{i} if n == {i} else' for i in range(LENGTH))} x"]),
    "elif": _elifs(),
    "functions": _functions(),
}
EXPECTED = {"sum": 3 * LENGTH + 200, "choice": 200, "elif": 203, "functions": 3 + LENGTH + 200}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_long_programs_are_compiled_and_run(name: str) -> None:
    before = sys.getrecursionlimit()
    assert minits.CompilationUnit(PROGRAMS[name]).f(3, 200) == EXPECTED[name]
    assert sys.getrecursionlimit() == before


def test_a_chain_of_methods_is_compiled() -> None:
    text = f"def f(x: Tensor):\n    return x{'.neg()' * LENGTH}\n"
    x = torch.arange(3)
    assert minits.CompilationUnit(text).f(x).equal(x)


def test_what_follows_many_returns_has_a_digest() -> None:
    lines = [f"    if n == {i}:\n        return x + {i}\n" for i in range(2 * LENGTH)]
    unit = minits.CompilationUnit(f"def f(x: int, n: int):\n{''.join(lines)}    return x\n")
    assert digest_of(unit.f._minits) is not None


def test_the_digest_of_nested_types_is_as_long_as_they_are() -> None:
    """Each level doubled the backslashes of the one within: no memory holds that."""
    depth = 60
    unit = minits.CompilationUnit(f"def f(x: int):\n    return {'[' * depth}x{']' * depth}\n")
    assert digest_of(unit.f._minits) is not None


def test_the_limit_stays_while_anybody_compiles() -> None:
    before = sys.getrecursionlimit()
    inside, may_leave = threading.Event(), threading.Event()

    def compile_slowly() -> None:
        with deep_recursion():
            inside.set()
            may_leave.wait()

    thread = threading.Thread(target=compile_slowly)
    with deep_recursion():
        thread.start()
        inside.wait()
    assert sys.getrecursionlimit() == DEEPEST
    may_leave.set()
    thread.join()
    assert sys.getrecursionlimit() == before
