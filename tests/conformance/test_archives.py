"""Programs of the suite, saved by minits and read by torch.jit: one of each chapter.

`python -m conformance archives` does it with all of them.
"""

from __future__ import annotations

import pytest

from conformance.archives import LEFT_OUT, Reloaded, check_archives, fault_of, savable
from conformance.case import Case, find_cases
from conformance.minits_implementation import Minits
from conformance.observation import Observation
from conformance.observe import observe


def first_of_each_chapter() -> list[Case]:
    found: dict[str, Case] = {}
    for case in savable(find_cases()):
        found.setdefault(case.chapter, case)
    return list(found.values())


@pytest.mark.one_in(2)
@pytest.mark.filterwarnings("ignore")  # what the programs' operators warn of
@pytest.mark.parametrize("case", first_of_each_chapter(), ids=lambda case: case.name)
def test_a_loaded_program_does_what_was_recorded(case: Case) -> None:
    assert fault_of(case, observe(case, Reloaded(Minits()))) is None


def test_what_is_left_out_is_there() -> None:
    assert LEFT_OUT.keys() <= {case.name for case in find_cases()}


def test_a_difference_is_told() -> None:
    [case] = find_cases(pattern="modules/state_methods")
    fault = fault_of(case, observe(case, Reloaded(Minits())))
    assert fault is not None
    assert "expected" in fault


def test_a_crash_is_told() -> None:
    [case] = find_cases(pattern="modules/state_methods")
    assert fault_of(case, Observation("none", crash="it fell over")) == "it fell over"


def test_cases_run_in_processes_of_their_own() -> None:
    cases = find_cases(pattern="modules/nn_linear_stack")
    assert list(check_archives(cases, "torch")) == [("modules/nn_linear_stack", None)]
