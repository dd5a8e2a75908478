"""The data classes of `minits.records` against those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import re
from pathlib import Path
from typing import Any

import pytest

from minits import records

_LIBRARY = re.compile(r"^\s*(?:from|import) dataclasses\b", re.MULTILINE)
OPTIONS = [
    dict(zip(("frozen", "slots", "eq", "repr"), values, strict=True))
    for values in itertools.product((False, True), repeat=4)
]


def _classes(library: Any, options: dict[str, bool]) -> tuple[type, type]:
    """A class with all kinds of fields and one that inherits from it."""

    @library.dataclass(**options)
    class Base:
        first: int
        second: float = 0.5
        hidden: list[int] = library.field(default_factory=list, compare=False, repr=False)
        derived: int = library.field(init=False, default=7, repr=False)

        @property
        def doubled(self) -> int:
            return self.first * 2

    @library.dataclass(**options)
    class Derived(Base):
        second: float = 1.5
        third: str = "third"

        def __repr__(self) -> str:
            return f"<{self.third}>"

    return Base, Derived


def _described(cls: type) -> list[Any]:
    """What can be seen of a class and its instances."""
    one, same = cls(1), cls(first=1, hidden=[])
    other = cls(2, 0.25, [3])
    values = [[getattr(each, name) for name in ("first", "second", "hidden", "derived", "doubled")]
              for each in (one, same, other, copy.copy(other))]  # fmt: skip
    seen = [values, one.hidden is not same.hidden, one == same, one == other, one != other]
    seen += [cls.__hash__ is None, cls.__hash__ is object.__hash__, one == "one"]
    seen += [cls.__match_args__, cls.__qualname__, vars(cls).get("__slots__")]
    if cls.__repr__ is not object.__repr__:
        seen.append(repr(one))
    if cls.__hash__ not in (None, object.__hash__):
        seen.append(hash(one) == hash(same))
    for wrong in ((), (1, 2, [], 3, 4)):
        with pytest.raises(TypeError):
            cls(*wrong)
    return seen


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_standard_librarys_meaning(options: dict[str, bool]) -> None:
    ours, theirs = (_classes(library, options) for library in (records, dataclasses))
    for mine, other in zip(ours, theirs, strict=True):
        assert _described(mine) == _described(other)


def test_replace_calls_the_constructor() -> None:
    @records.dataclass(frozen=True, slots=True)
    class Range:
        low: int
        high: int = 9
        size: int = records.field(init=False, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "size", self.high - self.low)

    changed = records.replace(Range(3), low=4)
    assert (changed.low, changed.high, changed.size) == (4, 9, 5)
    assert changed == Range(4)
    assert hash(changed) == hash(Range(4))
    with pytest.raises(TypeError):
        records.replace(changed, middle=3)


def test_one_field_and_none() -> None:
    @records.dataclass(frozen=True, slots=True)
    class One:
        value: Any

    @records.dataclass(frozen=True, slots=True)
    class Nothing:
        pass

    missing = float("nan")
    assert One(missing) == One(missing)  # tuples compare by identity first, as the library's do
    assert Nothing() == Nothing()
    assert Nothing() != One(())
    assert {One(1): "one", Nothing(): "none"}[Nothing()] == "none"


def test_minits_uses_them() -> None:
    """Classes of both kinds would not compare, and `replace` takes its own kind alone."""
    package = Path(records.__file__).parent
    users = [path.name for path in package.rglob("*.py") if _LIBRARY.search(path.read_text())]
    assert users == ["dataclass_methods.py"]  # it compiles the classes of users
