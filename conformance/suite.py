"""Run the suite: observe every case, and judge or record it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from conformance.case import EXPECTED, Case
from conformance.compare import Verdict, judge
from conformance.implementations import implementation
from conformance.levels import judged_at
from conformance.observation import (
    Observation,
    expectation_path,
    read_expectation,
    write_expectation,
)
from conformance.pool import TIMEOUT, run_cases

Progress = Callable[[Case], None]


def nothing(case: Case) -> None:
    """Ignore the progress made."""


@dataclass(frozen=True, slots=True)
class Recording:
    """The changes of `record`: names of changed, removed and faulty expectations."""

    changed: list[str]
    removed: list[str]
    faults: list[str]


def check(
    cases: list[Case],
    name: str,
    *,
    jobs: int = 1,
    expected: Path = EXPECTED,
    timeout: float = TIMEOUT,
    progress: Progress = nothing,
    level: str = "text",
    scheduler: str | None = None,
) -> list[Verdict]:
    """Judge the implementation `name` by the recorded expectations; sorted by case."""
    torch = implementation("torch").version()
    verdicts = []
    for case, seen in run_cases(cases, name, jobs, timeout, scheduler):
        recorded = read_expectation(case, expected)
        if recorded is None:
            seen = Observation(seen.implementation, crash="no expectation recorded: run --update")
            recorded = Observation(torch)
        verdict = judge(case.name, seen, recorded, case.error_line, torch)
        verdict.ran_as = seen.ran_as
        verdicts.append(judged_at(level, verdict))
        progress(case)
    return sorted(verdicts, key=lambda verdict: verdict.case)


def record(
    cases: list[Case], *, jobs: int = 1, expected: Path = EXPECTED, progress: Progress = nothing
) -> Recording:
    """Record the behaviour of torch.jit as the expectation of each case."""
    done = Recording([], [], [])
    for case, seen in run_cases(cases, "torch", jobs):
        fault = recording_fault(case, seen)
        if fault:
            done.faults.append(f"{case.name}: {fault}")
        elif write_expectation(case, seen, expected):
            done.changed.append(case.name)
        progress(case)
    return done


def recording_fault(case: Case, seen: Observation) -> str | None:
    """The reason for which an observation of torch.jit cannot be the author's intent, or None."""
    if seen.crash:
        return seen.crash
    if case.error_line is None:
        if seen.error:
            return f"torch.jit refuses it: {seen.error['message']} (line {seen.error['line']})"
        return None if seen.calls else "it has no inputs"
    if seen.error is None:
        return "torch.jit accepts it, though a line is marked `# error`"
    if seen.error["line"] not in (None, case.error_line):
        return f"torch.jit's error is at line {seen.error['line']}: {seen.error['message']}"
    return None


def remove_stale(cases: list[Case], expected: Path = EXPECTED) -> list[str]:
    """Remove the expectations that belong to no case; `cases` must be all of them."""
    wanted = {expectation_path(case, expected) for case in cases}
    stale = [path for path in sorted(expected.rglob("*.txt")) if path not in wanted]
    for path in stale:
        path.unlink()
    return [str(path.relative_to(expected)) for path in stale]
