"""The committed cases and what is recorded for them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from conformance.case import CASES, EXPECTED, Case, find_cases
from conformance.compare import judge
from conformance.observation import expectation_path, read_expectation
from conformance.suite import recording_fault

ALL = find_cases()


def test_the_suite_is_large_enough() -> None:
    refused = [case for case in ALL if case.error_line is not None]
    assert len(refused) >= 75
    assert len(ALL) - len(refused) >= 190


def test_every_expectation_belongs_to_a_case() -> None:
    assert {expectation_path(case) for case in ALL} == set(EXPECTED.rglob("*.txt"))


@pytest.mark.one_in(30)
@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_a_case_and_its_expectation(case: Case) -> None:
    check_that_it_states_its_rule(case)
    recorded = read_expectation(case)
    assert recorded is not None
    assert recording_fault(case, recorded) is None, "its author meant something else"
    rendered = recorded.render()
    assert str(CASES.parent) not in rendered, "it depends on the checkout's folder"
    assert rendered == expectation_path(case).read_text("utf-8"), "it reads back as written"
    verdict = judge(case.name, recorded, recorded, case.error_line, recorded.implementation)
    assert verdict.passed, ("it does not agree with itself", verdict.reasons)


def check_that_it_states_its_rule(case: Case) -> None:
    tree = ast.parse(case.path.read_text("utf-8"))
    rule = ast.get_docstring(tree)
    assert rule, "a case begins with a docstring"
    assert rule.endswith(".")
    defined = {getattr(node, "name", None) for node in tree.body}
    defined |= {"program" for node in tree.body if isinstance(node, ast.Assign)}
    assert defined & {"program", "build"}


def test_two_marked_lines_are_a_fault(tmp_path: Path) -> None:
    folder = tmp_path / "chapter"
    folder.mkdir()
    path = folder / "case.py"
    path.write_text("x = 1  # error\ny = 2  # error\n")
    with pytest.raises(ValueError, match="mark one"):
        _ = Case(path, tmp_path).error_line
