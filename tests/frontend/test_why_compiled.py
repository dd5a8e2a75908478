"""An error tells which functions and classes needed what it is about, as torch.jit's does."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from torch import nn

import minits
from minits.diagnostics import CompileError
from minits.short_names import with_short_names


class Point:
    def __init__(self, x: int) -> None:
        self.x = x

    def shown(self) -> int:
        return self.x.bit_length()


def makes_a_point(n: int) -> int:
    return Point(n).x


def calls_what_makes_a_point(n: int) -> int:
    m = n + 1
    return makes_a_point(m)


def annotates_a_point(n: int) -> int:
    points: list[Point] = []
    return len(points) + n


class Line:
    def __init__(self, n: int) -> None:
        self.n = n

    @property
    def first(self) -> int:
        return Point(self.n).x


class Drawing(nn.Module):
    def forward(self, n: int) -> int:
        return self.first(n)

    def first(self, n: int) -> int:
        return Line(n).first


class Clock:
    def __init__(self, n: int) -> None:
        self.n = n

    @staticmethod
    def hours(n: int) -> int:
        return n.bit_length()


def calls_a_static_method(n: int) -> int:
    return Clock.hours(n)


PROGRAMS = [
    makes_a_point,
    calls_what_makes_a_point,
    annotates_a_point,
    Drawing(),
    calls_a_static_method,
]


def why(implementation: Any, program: Any) -> list[str]:
    """The lines that an error names, and who needed what stands there, by the names of the program.

    The error is let go at once: as long as it lives, torch tells its callers with other errors.
    """
    try:
        implementation.script(program)
    except (RuntimeError, NotImplementedError) as fault:
        told = str(fault)
    found = re.findall(r"'.* is being compiled since .*|line \d+", told)
    assert implementation is torch.jit or "__torch__" not in told
    return [re.sub(r"__torch__\.(?:\w+\.)*", "", line) for line in found]


@pytest.mark.parametrize(
    "program", PROGRAMS, ids=lambda program: getattr(program, "__name__", "Drawing")
)
def test_callers_are_those_that_torch_names(program: Any) -> None:
    told = why(minits, program)
    assert told == why(torch.jit, program)
    assert any("is being compiled since it was called from" in line for line in told)


def test_a_class_that_is_compiled_for_itself_has_no_callers() -> None:
    assert why(minits, Point) == why(torch.jit, Point)
    with pytest.raises(CompileError) as caught:
        minits.script(Point)
    assert "being compiled" not in caught.value.diagnostics[0].render()


class Source:
    def __init__(self, n: int) -> None:
        self.n = n

    def __iter__(self) -> Any:
        yield self.n


def makes_a_source(n: int) -> int:
    return Source(n).n


def test_a_method_that_cannot_be_read_is_not_compiled_yet() -> None:
    """As torch says it the first time; its stack of users outlives such an error."""
    _, user, _ = why(minits, makes_a_source)
    assert user == "'Source' is being compiled since it was called from 'makes_a_source'"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("expected int", "expected int"),
        ("List[__torch__.model.Net]", "List[Net]"),
        ("__torch__.model.___torch_mangle_3.Net.", "Net."),
        ("__torch__.model.Net.forward is", "Net.forward is"),
        ("__torch__.model.scale is", "scale is"),
        ("__torch__.a.Net, not __torch__.b.Net", "a.Net, not b.Net"),
        ("__torch__.torch.classes.ns.Stack", "torch.classes.ns.Stack"),
        (
            "__torch__.a.Net, not __torch__.a.___torch_mangle_1.Net",
            "__torch__.a.Net, not __torch__.a.___torch_mangle_1.Net",
        ),
    ],
)
def test_classes_have_the_names_that_the_program_gives_them(text: str, shown: str) -> None:
    assert with_short_names(text) == shown
