"""The suite finds out implementations that are wrong on purpose, and says in which way."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from conformance.case import find_cases
from conformance.compare import NEGATIVE, POSITIVE, Verdict
from conformance.suite import check

FLOATS = "functions/rounding"
TENSORS = "tensors/constants_in_graph"
TUPLES = "functions/floor_division"
IN_PLACE = "functions/augmented_assignment"
RAISES = "functions/shadowed_builtins"
NAMED = "functions/closure_over_function"
REFUSED = "errors/variable_changes_type"


def judged(name: str, case: str, monkeypatch: pytest.MonkeyPatch, timeout: float = 60) -> Verdict:
    monkeypatch.setattr(sys, "path", [str(Path(__file__).parent), *sys.path])
    cases = [found for found in find_cases() if found.name == case]
    (verdict,) = check(cases, f"wrong:{name}", timeout=timeout)
    return verdict


@pytest.mark.parametrize(
    ("name", "case", "failed"),
    [
        ("OffByLittle", "tensors/mask_chain", ["outputs"]),
        ("WrongDtype", "functions/closure_over_function", ["outputs"]),
        ("TuplesAreLists", TUPLES, ["outputs"]),
        ("ForgetsMutation", IN_PLACE, ["outputs"]),
        ("NeverRaises", RAISES, ["outputs"]),
        ("WrongKind", RAISES, ["outputs"]),
        ("OtherNames", NAMED, ["names"]),
        ("OtherRanges", NAMED, ["ranges", "names"]),
        ("OtherConstants", NAMED, ["structure", "ranges", "names"]),
        ("OtherCode", NAMED, ["code"]),
        ("AcceptsEverything", REFUSED, list(NEGATIVE)),
        ("NextLine", REFUSED, ["line", "class"]),
        ("Breaks", NAMED, list(POSITIVE)),
        ("Breaks", REFUSED, list(NEGATIVE)),
        ("Dies", NAMED, list(POSITIVE)),
    ],
)
def test_fails_exactly_the_measures_it_should(
    name: str, case: str, failed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = judged(name, case, monkeypatch)
    wrong = {measure for measure, passed in verdict.results.items() if not passed}
    assert wrong == set(failed), verdict.reasons


@pytest.mark.slow
def test_a_hanging_case_ends_at_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = judged("Hangs", NAMED, monkeypatch, timeout=10)
    assert not any(verdict.results.values())
    assert "time limit" in verdict.reasons["compiles"]


def test_a_dead_process_is_told_with_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "exit code -9" in judged("Dies", NAMED, monkeypatch).reasons["compiles"]


def test_others_run_on_after_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(Path(__file__).parent), *sys.path])
    cases = find_cases(pattern="functions/c")
    verdicts = check(cases, "wrong:Dies", jobs=2)
    assert len(verdicts) == len(cases) > 2
