"""Programs of enums and NamedTuples as C: they return and raise what others do."""

from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch

import minits
from minits.native.c_types import NotNative
from minits.native.function import NativeFunction
from tests.support.native_calls import check_agreement
from tests.support.needs import need_compiler
from tests.support.sanitizers import sanitized

need_compiler()


class Season(Enum):
    WINTER = 10
    SPRING = -(2**63)
    SUMMER = 30
    COLD = 10  # noqa: PIE796 - a second name of WINTER


class Unit(Enum):
    GRAM = "g"
    TON = "t"


class Rate(Enum):
    LOW = 0.5
    HIGH = float("inf")


class Mark(NamedTuple):
    number: int
    text: str


class Span(NamedTuple):
    start: float
    mark: Mark | None


def of_members(
    season: Season, unit: Unit, rates: list[Rate], other: Season | None
) -> tuple[list[Season], str, float, bool, Season | None, Season]:
    found = [season, Season.WINTER]
    total = 0.0
    for rate in rates:
        if rate == Rate.LOW:
            total += rate.value
        elif rate != Rate.HIGH:
            raise ValueError("no rate")
    text = season.name + unit.value + unit.name
    last = Season.SUMMER
    for i in range(len(rates)):
        last = found[i % len(found)]
        if last == season and i == 1:
            found.append(Season.SPRING)
        text += str(last.value) + last.name
    if other is not None and other == last:
        total += float(other.value)
    same = unit == season  # type: ignore[comparison-overlap]
    return found, text, total, same, other, last


def of_members_alone(season: Season, n: int) -> tuple[Season, int]:
    return (Season.SUMMER if season == Season.WINTER else season), n // season.value


def of_items_not_there(seasons: list[Season], at: int) -> Season:
    return seasons[at]


def of_marks(
    mark: Mark, spans: list[Span], table: dict[str, Mark], n: int
) -> tuple[Mark, list[Span], dict[str, Mark], int, tuple[Span, Mark]]:
    total = 0
    for span in spans:
        inner = span.mark
        if inner is not None:
            total += inner.number + len(inner.text)
    made = Mark(n, mark.text + "!")
    for i in range(n):
        made = Mark(made.number + i, table["a"].text if i == 1 else made.text)
        table["b"] = made
        spans.append(Span(0.5 * float(i), made if i % 2 == 0 else None))
    return made, spans, table, total, (Span(1.5, mark), Mark(number=7, text="x"))


def found_numbers(table: dict[str, int], rates: dict[int, Season]) -> tuple[int | None, str]:
    n = table.get("a")
    if n is not None:
        table["a"] = n + 1
    again = table.get("a")
    season = rates.get(3)
    name = "none" if season is None else season.name
    return (n if again is None else again), name


MARK = Mark(3, "é")


def of_a_branch(n: int) -> int:
    pair: tuple[int, str] | None = None
    m = n
    if n > 2:
        m = n * 2
        pair = (n, "a" + str(n))
    for i in range(n):
        m += i
    return m if pair is None else m + pair[0] + len(pair[1])


@pytest.mark.one_in(5, over="")
@pytest.mark.parametrize(
    ("function", "values"),
    [
        (of_a_branch, (2,)),
        (of_a_branch, (3,)),
        (of_members, (Season.WINTER, Unit.TON, [], None)),
        (of_members, (Season.SPRING, Unit.GRAM, [Rate.LOW, Rate.HIGH, Rate.LOW], Season.COLD)),
        (of_members, (Season.COLD, Unit.GRAM, [Rate.HIGH] * 4, Season.WINTER)),
        (of_members_alone, (Season.WINTER, 25)),
        (of_members_alone, (Season.SUMMER, -25)),
        (of_items_not_there, ([Season.SUMMER], 0)),
        (of_items_not_there, ([Season.SUMMER], 1)),
        (of_marks, (MARK, [], {}, 0)),
        (of_marks, (MARK, [Span(0.0, MARK), Span(-0.0, None)], {"a": Mark(1, "u")}, 4)),
        (of_marks, (MARK, [], {}, 2)),
        (found_numbers, ({"a": 1}, {3: Season.COLD})),
        (found_numbers, ({}, {})),
    ],
)
def test_agrees(function: Callable[..., Any], values: tuple[Any, ...], monkeypatch: Any) -> None:
    check_agreement(function, values, monkeypatch)


def test_results_are_of_the_classes() -> None:
    native = NativeFunction(minits.script(of_marks).graph_after(["optimize"]), "of_marks")
    made, spans, table, _, (span, mark) = native(MARK, [], {"a": MARK}, 2)
    assert made._fields == mark._fields == table["a"]._fields == ("number", "text")
    assert type(made).__name__ == "Mark"
    assert type(span).__name__ == type(spans[0]).__name__ == "Span"
    assert type(spans[0].mark).__name__ == "Mark"


def of_one_shape(flag: bool, mark: Mark, pair: tuple[int, str]) -> list[tuple[int, str]]:
    return [(pair if flag else mark)]


def joined(marks: list[Mark], pairs: list[tuple[int, str]]) -> list[tuple[int, str]]:
    pairs.extend([(1, "a")])
    for mark in marks:
        pairs.append(mark)
    return pairs


@pytest.mark.parametrize("function", [of_one_shape, joined])
def test_what_keeps_another_class_than_that_of_its_type_is_not_native(
    function: Callable[..., Any],
) -> None:
    with pytest.raises(NotNative, match="Mark"):
        NativeFunction(minits.script(function).graph_after(["optimize"]), "f")


def members_dropped(n: int) -> int:
    marks: list[Mark] = []
    table = {"a": Mark(1, "a")}
    sizes = {"a": 1}
    total = 0
    for i in range(n):
        marks.append(Mark(i, "b" + str(i)))
        if len(marks) > 3:
            marks = marks[2:]
        table["a" if i % 2 == 0 else "b"] = marks[0]
        size = sizes.get("a" if i % 3 == 0 else "z")
        if size is not None:
            total += size
            sizes["a"] = size + 1
        total += len(Season.WINTER.name if i % 2 == 0 else Season.SUMMER.name) + table["a"].number
    return total


def test_sanitizers_find_nothing(tmp_path: Path) -> None:
    rows = sanitized(members_dropped, tmp_path)
    assert [result for _, result in rows] == [members_dropped(n) for n in range(60)]
    held = [lists for lists, _ in rows[20:]]
    assert max(held) - min(held) <= 8, "each round of the loop leaves tuples behind"


def test_torch_agrees_on_classes() -> None:
    theirs = torch.jit.script(of_marks)
    made, *_ = theirs(MARK, [], {"a": MARK}, 2)
    assert made._fields == ("number", "text")
