"""A pytest plugin: which cases of parametrised tests the default run takes.

`one_in(n)` leaves one case in `n` of a test to the default run and marks the others slow, but each
value of each parameter stays in some case: of 20 operators with 5 dtypes, `one_in(50)` leaves 20
cases, in which each operator occurs once and each dtype four times. A parameter that differs in all
cases, such as a seed, names the case and is not covered. Where no other is left, the default run
takes each n-th case. `one_in(50, over="dtype")` has all dtypes stay, but not all operators: for
tests of which each case takes long. Names are separated by spaces; `over=""` covers none.

`--slice n` runs one test in `n` of those that the other options choose: always the same, since the
hash of a test's name decides.
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import pytest

Case = Sequence[Hashable]
"""The values of a case's parameters, in one order for all cases of a test."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for a slice."""
    parser.addoption("--slice", type=int, metavar="N", help="run one in N of the chosen tests")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as slow what `one_in` leaves out of the default run."""
    tests: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("one_in") is not None:
            tests[item.nodeid.partition("[")[0]].append(item)
    for test in tests.values():
        mark = test[0].get_closest_marker("one_in")
        assert mark is not None
        kept = covering([_values(item, mark.kwargs.get("over")) for item in test], mark.args[0])
        for number, item in enumerate(test):
            if number not in kept:
                item.add_marker(pytest.mark.slow)


class Slice:
    """Deselects what is not in the slice, once marks and names have chosen."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[Any]) -> None:
        """Keep one test in so many."""
        parts = config.getoption("--slice")
        kept: list[Any] = []
        left_out: list[Any] = []
        for item in items:
            is_left_out = zlib.crc32(item.nodeid.encode()) % parts
            (left_out if is_left_out else kept).append(item)
        items[:] = kept
        config.hook.pytest_deselected(items=left_out)


def pytest_configure(config: pytest.Config) -> None:
    """Register the slice, if one is asked for."""
    if config.getoption("--slice"):
        config.pluginmanager.register(Slice())


def _values(item: pytest.Item, over: str | None = None) -> Case:
    """Return the values of an item's parameters, or of those named in `over`, as keys of dicts.

    Raises KeyError if there is no parameter of such a name.
    """
    callspec = getattr(item, "callspec", None)
    params = callspec.params if callspec else {}
    return [_key(params[name]) for name in (sorted(params) if over is None else over.split())]


def _key(value: Any) -> Hashable:
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return type(value), value


def covering(cases: Sequence[Case], n: int) -> set[int]:
    """Return the positions of one case in `n`, or of more if their values need more to all occur.

    Each next case is the one with most values that do not occur yet, then the one whose values
    have occurred least, so that a value meets different values of other parameters.
    """
    columns = [column for column in zip(*cases) if 1 < len(set(column)) < len(cases)]
    if not columns:
        return set(range(0, len(cases), n))
    reduced = list(zip(*columns))
    used: list[Counter[Hashable]] = [Counter() for _ in columns]
    open_values = sum(len(set(column)) for column in columns)
    chosen: dict[int, None] = {}
    while open_values or len(chosen) * n < len(cases):
        best = min(
            (position for position in range(len(cases)) if position not in chosen),
            key=lambda position: _weight(reduced[position], used),
        )
        chosen[best] = None
        for value, count in zip(reduced[best], used):
            open_values -= not count[value]
            count[value] += 1
    return set(chosen)


def _weight(case: Iterable[Hashable], used: Sequence[Counter[Hashable]]) -> tuple[int, int]:
    counts = [count[value] for value, count in zip(case, used)]
    return -counts.count(0), sum(counts)
