"""The mark `one_in(n)`: the default run takes one case in n of a test, the slow one the others."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from tests.support.selection import covering


@pytest.mark.one_in(3)
@pytest.mark.parametrize("number", range(7))
def test_every_third_case_runs(number: int, request: pytest.FixtureRequest) -> None:
    is_slow = request.node.get_closest_marker("slow") is not None
    assert is_slow == bool(number % 3)


@pytest.mark.one_in(9, over="kind")
@pytest.mark.parametrize("kind", "ab")
@pytest.mark.parametrize("number", range(9))
def test_of_named_parameters_each_value_runs(
    number: int, kind: str, request: pytest.FixtureRequest
) -> None:
    is_slow = request.node.get_closest_marker("slow") is not None
    assert is_slow == (number > 0)


@pytest.mark.one_in(3)
def test_the_first_case_runs(request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker("slow") is None


@pytest.mark.parametrize(
    "n, count", [(2, 60), (5, 24), (6, 20), (7, 20), (1000, 20)], ids=lambda each: str(each)
)
def test_each_value_of_each_parameter_stays(n: int, count: int) -> None:
    cases = list(product("abcdefghijklmnopqrst", range(6)))
    kept = [cases[position] for position in covering(cases, n)]
    assert len(kept) == count
    for column in zip(*kept):
        often = Counter(column)
        assert max(often.values()) - min(often.values()) <= 1, "values share the cases evenly"
    assert {letter for letter, _ in kept} == set("abcdefghijklmnopqrst")
    assert {number for _, number in kept} == set(range(6))


def test_parameters_that_are_given_together() -> None:
    cases = [("seed 0", "relu", 4), ("seed 1", "relu", 4), ("seed 2", "exp", 4), ("seed 3", "x", 4)]
    assert covering(cases, 4) == {0, 2, 3}


def test_a_seed_is_not_covered() -> None:
    assert covering([(seed,) for seed in range(10)], 4) == {0, 4, 8}
    assert covering([()], 4) == {0}


PROGRAM = """
import pytest

@pytest.mark.one_in(4)
@pytest.mark.parametrize("dtype", [[1], [2]])
@pytest.mark.parametrize("name", "abcd")
def test_pairs(name, dtype):
    pass
"""


def test_of_the_cases_of_a_test(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # pytester imports them each time
    pytester.makeini("[pytest]\nmarkers =\n    slow: long\n    one_in(n): fewer\n")
    pytester.makepyfile(test_it=PROGRAM)
    plugin = ("-p", "tests.support.selection", "-p", "no:unraisableexception")
    result = pytester.runpytest_inprocess(*plugin, "-v", "-m", "not slow")
    result.assert_outcomes(passed=4, deselected=4)
    result.stdout.fnmatch_lines([f"*::test_pairs[[]{name}-*" for name in "abcd"])
    pytester.runpytest_inprocess(*plugin, "-m", "slow").assert_outcomes(passed=4, deselected=4)
    counts = pytester.runpytest_inprocess(*plugin, "--slice", "3").parseoutcomes()
    assert 0 < counts["passed"] < 8
    assert sum(counts.values()) == 8
