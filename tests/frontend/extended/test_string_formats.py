"""Formats and conversions in f-strings: Python's results."""

from __future__ import annotations

import pytest
import torch

import minits
from minits.diagnostics import CompileError
from tests.support.extended import check_extension


def of_floats(x: float) -> list[str]:
    return [f"{x:.3f}", f"{x:10.2e}|", f"{x:+g}", f"{x:08.2f}", f"{x:.1%}", f"{x!r}", f"{x!s:>12}"]


def of_ints(n: int) -> list[str]:
    return [f"{n:>5}|", f"{n:<5}|", f"{n:^7}|", f"{n:05d}", f"{n:,}", f"{n:#x}", f"{n:b}", f"{n!r}"]


def of_texts(s: str) -> list[str]:
    return [f"{s!r}", f"{s:*^9}", f"{s:.2}", f"{s!s}", f"{s!a:>10}", f"a{s:>4}b{{{s!r}}}"]


def of_bools(flag: bool) -> list[str]:
    return [f"{flag!s:>6}", f"{flag:>6}", f"{flag!r}", f"{flag:d}"]


def with_width(x: float, width: int, places: int) -> str:
    return f"[{x:{width}.{places}f}] {places:{'0'}>{width}}"


def debugged(x: float, n: int) -> str:
    return f"{x=} {n=:>4} {x + n = :.1f}"


def mixed(x: float, n: int, s: str) -> str:
    return f"{s}: {x:.2f} after {n} of {n + 1:>3} {s!r}"


def with_braces(x: float) -> str:
    return f"{{}}{x:.1f}{{{x!r}}}{{"


def of_containers(values: list[int], x: torch.Tensor, maybe: str | None) -> str:
    pair = (values[0], "a")
    return f"{values!r} {pair!s} { ({'a': 1})!r} {x!r} {x.sum():.2f} {maybe!r:>5}"


FLOATS = (0.1, -2.5, 1234567.891, 1e300, 0.125, float("inf"), -0.0)
PROGRAMS = [
    (of_floats, [(x,) for x in FLOATS]),
    (of_ints, [(0,), (-42,), (1234567,)]),
    (of_texts, [("ab",), ("it's \u00e9\n",), ("",)]),
    (of_bools, [(True,), (False,)]),
    (with_width, [(3.14159, 8, 2), (2.0, 3, 0)]),
    (debugged, [(0.5, 3)]),
    (with_braces, [(0.5,)]),
    (mixed, [(2.0 / 3.0, 7, "loss")]),
    (of_containers, [([3, 4], torch.ones(2), None), ([3], torch.zeros(1), "b")]),
]


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_a_format_gives_what_python_gives(program, calls) -> None:
    check_extension(program, "TS113", *calls)


def wrong(x: float) -> str:
    return f"{x:d}"


def test_a_format_that_does_not_fit_raises_when_it_runs() -> None:
    with pytest.raises(Exception, match="Unknown format code 'd' for object of type 'float'"):
        minits.script(wrong, dialect="extended")(1.5)


class Thing:
    def __init__(self, n: int) -> None:
        self.n = n


def of_an_object(n: int) -> str:
    thing = Thing(n)
    return f"{thing!r}"


def test_an_object_has_no_format() -> None:
    with pytest.raises(CompileError, match="TS710"):
        minits.script(of_an_object, dialect="extended")


def plain(x: float, n: int) -> str:
    return f"{x} and {n}"


def test_an_f_string_of_the_torch_dialect_has_the_same_graph_in_both() -> None:
    graphs = [str(minits.script(plain, dialect=name).graph) for name in minits.api.DIALECTS]
    assert graphs[0] == graphs[1]
