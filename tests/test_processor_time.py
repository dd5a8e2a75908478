"""The plugin that measures the processor time of tests."""

from __future__ import annotations

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.support.processor_time import Clock

PLUGIN = ("-p", "tests.support.processor_time", "-p", "no:unraisableexception")
PROGRAM = """
import pytest, subprocess, sys
from time import process_time

WORK = "from time import process_time\\nwhile process_time() < 0.4: pass"

@pytest.fixture
def busy():
    end = process_time() + 0.3
    while process_time() < end:
        pass

def test_idle():
    import time
    time.sleep(0.3)

def test_fixture(busy):
    pass

def test_child():
    subprocess.run([sys.executable, "-S", "-c", WORK], check=True)

@pytest.mark.slow
def test_slow(busy):
    pass
"""


@pytest.fixture
def program(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # pytester imports them each time
    pytester.makeini("[pytest]\nmarkers =\n    slow: takes long\n")
    pytester.makepyfile(test_it=PROGRAM)
    return pytester


@pytest.mark.parametrize("workers", [[], ["-p", "xdist", "-n", "1"]], ids=["alone", "worker"])
def test_times_of_tests(program: pytest.Pytester, workers: list[str]) -> None:
    result = program.runpytest_inprocess(*PLUGIN, "--times=it.json", *workers)
    result.assert_outcomes(passed=4)
    seconds = {
        name.partition("::")[2]: used
        for name, used in json.loads((program.path / "it.json").read_text()).items()
    }
    assert seconds["test_idle"] < 0.2
    assert seconds["test_fixture"] > 0.25
    assert seconds["test_child"] > 0.35


def test_a_default_test_that_takes_long_fails(program: pytest.Pytester) -> None:
    result = program.runpytest_inprocess(*PLUGIN, "--processor-limit=0.25")
    result.assert_outcomes(passed=4, errors=2)
    result.stdout.fnmatch_lines(
        [
            "*ERROR at teardown of test_fixture*",
            "0.* s of processor time; a test of the default run may take 0.25.*mark it slow.",
            "*ERROR at teardown of test_child*",
        ]
    )
    result.stdout.no_fnmatch_line("*ERROR at teardown of test_slow*")


def test_the_summary_has_the_slowest(pytestconfig: pytest.Config) -> None:
    clock, lines = Clock(pytestconfig), []
    clock._file = None
    clock.seconds = {f"test_{number}": number / 10 for number in range(60)}
    printer = SimpleNamespace(section=lines.append, line=lines.append)
    clock.pytest_terminal_summary(printer)  # type: ignore[arg-type]
    assert lines[0] == "slowest of 177 s of processor time"
    assert lines[1] == "   5.9 s  test_59"
    assert len(lines) == 21
    clock.seconds = {"test_quick": 0.5}
    lines.clear()
    clock.pytest_terminal_summary(printer)  # type: ignore[arg-type]
    assert lines == []


def test_work_for_many_tests_counts_for_none(pytestconfig: pytest.Config) -> None:
    clock = Clock(pytestconfig)
    item = SimpleNamespace(stash=pytest.Stash())
    program = "from time import process_time\nwhile process_time() < 0.3: pass"
    with clock._counted(item), clock.apart():  # type: ignore[arg-type]
        subprocess.run([sys.executable, "-S", "-c", program], check=True)
    assert sum(item.stash._storage.values()) < 0.1
