"""A pytest plugin: the processor time of each test.

`tests/conftest.py` registers it. A test's time is that of its fixtures, its call and its teardown,
in this process with all its threads and in child processes that it has waited for, such as C
compilers. It hardly depends on what else the machine does, unlike seconds of a clock. Two parts are
missing or misplaced: children of other processes (a forkserver's) count for no test until the
forkserver ends, and what a thread does in the background counts for the test that runs meanwhile.

The summary lists the slowest tests of all workers of pytest-xdist. A test of the default run fails
in its teardown if it takes more than `--processor-limit` seconds; those marked slow may.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time
from typing import Any

import pytest

LISTED = 20
"""Number of tests in the summary."""
LISTED_FROM = 1.0
"""Seconds; the summary leaves out faster tests."""
LIMIT = 20.0
"""Seconds that a test of the default run may take, unless the option says otherwise: of a processor
that counts to a million in `_COUNTING`, and more of a slower one. It is twice what a test should
take: beside others, that share caches and cores with it, a test takes up to twice its time."""
_COUNTING = 0.04

_PROPERTY = "processor_seconds"
_USED = pytest.StashKey[float]()


def processor_seconds() -> float:
    """Return the processor time of this process and of its children so far."""
    children = getrusage(RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def slowness() -> float:
    """Return how much slower this processor is now than the one of the limit; at least 1."""
    start = process_time()
    for _ in range(1_000_000):
        pass
    return max(1.0, (process_time() - start) / _COUNTING)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the times of tests."""
    group = parser.getgroup("processor time")
    group.addoption("--times", metavar="FILE", help="write each test's processor time as JSON")
    group.addoption(
        "--processor-limit",
        type=float,
        metavar="SECONDS",
        help="fail tests not marked slow that take more processor time; 0 for none (default: 20,"
        " and more on a slow processor)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the clock, in each worker and in the process that prints the summary."""
    config.pluginmanager.register(Clock(config), "processor-clock")


class Clock:
    """Measures tests in a worker; collects what workers report."""

    def __init__(self, config: pytest.Config) -> None:
        self.seconds: dict[str, float] = {}
        """Processor time by node id, of all workers."""
        given: float | None = config.getoption("--processor-limit")
        self._limit = LIMIT * slowness() if given is None else given
        self._file: str | None = config.getoption("--times")
        self._apart = 0.0

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Count what runs here for no test: work for many tests that happens during one."""
        start = processor_seconds()
        try:
            yield
        finally:
            self._apart += processor_seconds() - start

    @contextmanager
    def _counted(self, item: pytest.Item) -> Iterator[None]:
        """Count a phase for its test."""
        start, apart = processor_seconds(), self._apart
        try:
            yield
        finally:
            used = processor_seconds() - start - (self._apart - apart)
            item.stash[_USED] = item.stash.get(_USED, 0.0) + used

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Any:
        """Count fixtures."""
        item.stash[_USED] = 0.0
        with self._counted(item):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Any:
        """Count the test itself."""
        with self._counted(item):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Any:
        """Report the time with the teardown, which fails if the time is over the limit."""
        with self._counted(item):
            result = yield
        used = item.stash[_USED]
        item.user_properties.append((_PROPERTY, used))
        if self._limit and used > self._limit and item.get_closest_marker("slow") is None:
            pytest.fail(
                f"{used:.1f} s of processor time; a test of the default run may take"
                f" {self._limit:.3g}. Shorten it or mark it slow.",
                pytrace=False,
            )
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test's time."""
        if report.when == "teardown":
            for name, value in report.user_properties:
                if name == _PROPERTY and isinstance(value, float):
                    self.seconds[report.nodeid] = value

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the slowest tests and write the file of all times."""
        if self._file:
            told = {test: round(used, 3) for test, used in sorted(self.seconds.items())}
            Path(self._file).write_text(json.dumps(told, indent=0) + "\n", encoding="utf-8")
        slowest = sorted(self.seconds.items(), key=lambda each: -each[1])[:LISTED]
        slowest = [each for each in slowest if each[1] >= LISTED_FROM]
        if slowest:
            total = sum(self.seconds.values())
            terminalreporter.section(f"slowest of {total:.0f} s of processor time")
            for test, used in slowest:
                terminalreporter.line(f"{used:6.1f} s  {test}")
