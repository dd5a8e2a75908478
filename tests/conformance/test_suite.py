"""Recording, checking and the command line, on small cases and on a sample of the real ones."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conformance import known_failures, thresholds
from conformance.__main__ import main
from conformance.case import Case, find_cases
from conformance.compare import Verdict
from conformance.report import backend_lines
from conformance.suite import check, record

SAMPLE = find_cases()[::9]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    chapter = tmp_path / "cases" / "small"
    chapter.mkdir(parents=True)
    (chapter / "doubles.py").write_text(
        '"""A rule."""\n\n\ndef program(n: int) -> int:\n    return n * 2\n\n\n'
        "def inputs():\n    return [(1,), (-3,), ('x',)]\n"
    )
    (chapter / "refused.py").write_text(
        '"""A rule."""\n\n\ndef program(n: int) -> str:\n    return n  # error\n'
    )
    return tmp_path


def cases_of(corpus: Path) -> list[Case]:
    return find_cases(corpus / "cases")


def test_what_is_recorded_is_met(corpus: Path) -> None:
    expected = corpus / "expected"
    done = record(cases_of(corpus), expected=expected)
    assert (done.changed, done.faults) == (["small/doubles", "small/refused"], [])
    assert all(verdict.passed for verdict in check(cases_of(corpus), "torch", expected=expected))
    assert record(cases_of(corpus), expected=expected).changed == []


def test_a_changed_program_no_longer_meets_its_expectation(corpus: Path) -> None:
    expected = corpus / "expected"
    record(cases_of(corpus), expected=expected)
    path = corpus / "cases" / "small" / "doubles.py"
    path.write_text(path.read_text().replace("n * 2", "n * 3"))
    doubles, refused = check(cases_of(corpus), "torch", expected=expected)
    failed = [measure for measure, passed in doubles.results.items() if not passed]
    assert failed == ["outputs", "structure", "ranges", "names", "code"]
    assert refused.passed


def test_a_mark_on_the_wrong_line_is_not_recorded(corpus: Path) -> None:
    path = corpus / "cases" / "small" / "refused.py"
    path.write_text('"""A rule."""\n\n\ndef program(n: int) -> str:  # error\n    return n\n')
    done = record(cases_of(corpus), expected=corpus / "expected")
    assert len(done.faults) == 1
    assert "is at line 5" in done.faults[0]


def test_a_case_without_expectation_fails(corpus: Path) -> None:
    verdicts = check(cases_of(corpus), "torch", expected=corpus / "nowhere")
    assert not any(verdict.passed for verdict in verdicts)


@pytest.mark.slow  # `.ci/run` has torch meet one in four
def test_torch_meets_a_sample_of_the_recorded_expectations() -> None:
    verdicts = check(SAMPLE, "torch", jobs=2)
    assert len(verdicts) == len(SAMPLE) > 25
    assert {verdict.case: verdict.reasons for verdict in verdicts if not verdict.passed} == {}


def test_command_line_writes_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "results.json"
    arguments = ["run", "--impl", "torch", "--case", "functions/rounding", "--json", str(target)]
    assert main(arguments) == 0
    data = json.loads(target.read_text())
    assert data["totals"]["outputs"] == {"passed": 1, "of": 1}
    assert list(data["cases"]) == ["functions/rounding"]
    assert "functions" in capsys.readouterr().out


def test_command_line_takes_each_nth_case(tmp_path: Path) -> None:
    names = [case.name for case in find_cases(chapter="functions")]
    target, half = tmp_path / "results.json", len(names) // 2 + 1
    arguments = ["run", "--impl", "torch", "--chapter", "functions", "--every", str(half)]
    assert main([*arguments, "--json", str(target), "--jobs", "1"]) == 0
    assert list(json.loads(target.read_text())["cases"]) == names[::half]


def test_command_line_refuses_an_unknown_chapter() -> None:
    assert main(["run", "--chapter", "no_such_chapter"]) == 2


@pytest.mark.slow
def test_the_native_backend_tells_what_ran_as_c() -> None:
    command = ["run", "--backend", "native", "--case", "arithmetic/modulo_signs", "--jobs", "1"]
    ran = subprocess.run(
        [sys.executable, "-m", "conformance", *command], capture_output=True, text=True
    )
    told = r"[1-9]\d* of \d+ programs ran as C \([1-9].* %\), .*; loops of 0 others"
    assert re.search(told, ran.stdout), ran.stdout


def test_causes_are_counted_for_what_did_not_run_as_c() -> None:
    ran = (
        ["native", "native, asking"],
        ["native", "loops"],
        ["native", "not-native(str)"],
        ["kernels"],
        [],
    )
    verdicts = [Verdict(f"a/{number}", ran_as=each) for number, each in enumerate(ran)]
    assert backend_lines(verdicts) == [
        "1 of 4 programs ran as C (25.0 %), 1 of them with questions to Python; loops of 1 others",
        "     1 not-native(str)",
        "     1 kernels",
    ]


def verdict(case: str, **results: bool) -> Verdict:
    return Verdict(case, results, {name: "why" for name, passed in results.items() if not passed})


def test_thresholds_and_regressions() -> None:
    good, bad = verdict("a/b", names=True), verdict("a/c", names=False)
    assert thresholds.missed_thresholds([good] * 40, "minits") == []
    assert thresholds.missed_thresholds([*[good] * 39, bad], "minits") == []
    assert len(thresholds.missed_thresholds([*[good] * 38, bad, bad], "minits")) == 1
    assert len(thresholds.missed_thresholds([*[good] * 39, bad], "torch")) == 1
    assert known_failures.regressions([good, bad], {}) == (["a/c: names"], [])
    assert known_failures.regressions([good, bad], {("a/c", "names"): "why"}) == ([], [])
    assert known_failures.regressions([good], {("a/b", "names"): "why"}) == ([], ["a/b: names"])


def test_known_failures_are_read(tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_text("# comment\n\nmodules/x names: a reason: with a colon\n")
    found = known_failures.read_known_failures(path)
    assert found == {("modules/x", "names"): "a reason: with a colon"}
