"""Levels of agreement: which measures an implementation is judged by.

outputs   what programs that must compile do: results, errors, effects
graphs    ... and the structure of graphs, the lines of errors, and what must be refused
text      ... and the names of values, source ranges, `.code`, classes of refusals
"""

from __future__ import annotations

from collections.abc import Iterable

from conformance.case import Case
from conformance.compare import NEGATIVE, POSITIVE, Verdict

_OUTPUTS = ("compiles", "outputs")
_GRAPHS = (*_OUTPUTS, "structure", "raising_line", "refused", "line")
LEVELS: dict[str, tuple[str, ...]] = {
    "outputs": _OUTPUTS,
    "graphs": _GRAPHS,
    "text": (*POSITIVE, *NEGATIVE),
}
"""The measures of each level."""


def cases_at(level: str, cases: Iterable[Case]) -> list[Case]:
    """Return the cases that a level has measures of: programs to refuse are none of outputs'."""
    return [case for case in cases if level != "outputs" or case.error_line is None]


def judged_at(level: str, verdict: Verdict) -> Verdict:
    """Return the part of a verdict that a level asks for."""
    wanted = LEVELS[level]
    results = {name: passed for name, passed in verdict.results.items() if name in wanted}
    reasons = {name: reason for name, reason in verdict.reasons.items() if name in wanted}
    return Verdict(verdict.case, results, reasons, verdict.ran_as)
