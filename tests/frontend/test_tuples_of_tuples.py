"""Tuples of one tuple, again and again: compiling them takes as much work for each line.

Work is counted in calls of minits' functions; time would depend on the machine.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import pytest

import minits
from minits.types import types as t
from minits.types.type_parts import count_parts, distinct_parts


def chain(name: str, count: int) -> str:
    """Assignments of `a0 = (x, x)`, `a1 = (a0, a0)`, ..."""
    parts = ["x", *(f"{name}{number}" for number in range(count - 1))]
    return "".join(f"    {name}{n} = ({part}, {part})\n" for n, part in enumerate(parts))


BODIES = {
    "unused": "    return x\n",
    "returned": "    return {a}\n",
    "merged": "    if x > 1:\n        c = {a}\n    else:\n        c = {b}\n    return c\n",
    "in a loop": "    for i in range(x):\n        {a} = {b}\n    return {a}[0]\n",
    "in a list": "    c = [{a}, {b}]\n    c.append({b})\n    return c\n",
    "in a dict": "    c = {{1: {a}, 2: {b}}}\n    c[3] = {a}\n    return c\n",
    "compared": "    return {a} == {b}\n",
    "unpacked": "    c, d = {a}\n    return c[0], d[1]\n",
    "wrong": "    return {a} + 1\n",
}
LONG = 16
"""The type of the last tuple has 131,071 parts."""


def calls(body: str, count: int) -> int:
    """Return how many functions of minits are called to compile a program."""
    text = f"def f(x: int):\n{chain('a', count)}{chain('b', count)}"
    text += body.format(a=f"a{count - 1}", b=f"b{count - 1}")
    folder, found = str(Path(minits.__file__).parent), 0

    def count_call(frame: FrameType, event: str, _: object) -> None:
        nonlocal found
        found += event == "call" and frame.f_code.co_filename.startswith(folder)

    sys.setprofile(count_call)
    try:
        getattr(minits.CompilationUnit(text), "f", None)
    except minits.CompileError:
        pass
    finally:
        sys.setprofile(None)
    return found


@pytest.mark.parametrize("body", BODIES)
def test_work_grows_with_the_lines(body: str) -> None:
    calls(BODIES[body], 2)  # what is imported and kept for all programs
    assert calls(BODIES[body], LONG) < 4 * calls(BODIES[body], LONG // 4)


def nested(count: int, innermost: t.Type = t.INT) -> t.Type:
    found = innermost
    for _ in range(count):
        found = t.TupleType((found, found))
    return found


def test_types_with_more_parts_than_can_be_counted() -> None:
    first, second, other = nested(100), nested(100), nested(100, t.FLOAT)
    assert first == second and hash(first) == hash(second)
    assert first != other
    assert count_parts(first) == 2**101 - 1
    assert distinct_parts(first) == (t.INT,)


def test_equal_types_stand_for_each_other() -> None:
    types = [nested(30) for _ in range(4)]
    assert types[0] == types[1] and types[2] == types[3] and types[1] == types[2]
    assert all(a == b for a in types for b in types)
    assert types[0] != nested(29) and types[0] != t.INT
