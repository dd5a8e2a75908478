"""Checks one program: torch.jit, minits and its reference interpreter do the same.

minits makes each call several times: as the program was written, by a plan, and again.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import compress
from tempfile import TemporaryDirectory
from typing import Any, Literal

from conformance.compare import judge, output_difference
from conformance.fuzz.language.programs import Program
from conformance.fuzz.language.torch_faults import (
    adds_a_list_to_itself,
    forgets_what_branches_leave,
    loses_writes_after_loops,
)
from conformance.fuzz.language.ways import Again, Interpreter, Native, PlainTorchJit
from conformance.implementations import implementation
from conformance.minits_implementation import Minits
from conformance.observation import Observation
from conformance.observe import observe
from conformance.report import AS_C
from conformance.torch_implementation import TorchJit


class Disagreement(AssertionError):
    """torch.jit and minits differ."""

    def __init__(self, measure: str, reason: str) -> None:
        super().__init__(f"{measure}: {reason}")
        self.measure = measure


BACKENDS = ("python", "interpreter", "cached", "native")
USUAL = BACKENDS[:3]
ROUNDS = 3
"""How often minits makes the calls of a program."""
Outcome = Literal["accepted", "native", "refused"]


@dataclass(frozen=True, slots=True)
class Measured:
    """Whose programs are compared with torch.jit's, and at which level (`conformance.levels`)."""

    name: str = "minits"
    level: str = "text"
    backends: tuple[str, ...] = USUAL
    """Of minits alone: whose calls are compared."""


MINITS = Measured()


def check(program: Program, measured: Measured = MINITS) -> Outcome | None:
    """Return what became of the program; None where torch.jit fails by a fault of its own.

    It is "native" where all of it, or a loop, ran as C. Raises `Disagreement`.
    """
    if measured.name == "minits":
        return _check_minits(program, measured.backends)
    return _check_other(program, measured)


def _check_other(program: Program, measured: Measured) -> Outcome | None:
    expected = observe(program, TorchJit())
    if expected.crash or _is_internal(expected.error):
        return None
    if expected.error is not None and measured.level == "outputs":
        return "refused"
    found = observe(program, implementation(measured.name))
    if found.crash:
        raise Disagreement("crash", found.crash)
    if expected.error is not None or found.error is not None:
        _check_refusal(measured.name, found, expected)
        return "refused"
    verdict = judge("program", found, expected, None, expected.implementation)
    for measure in {"graphs": ["structure"], "text": ["names", "code"]}.get(measured.level, ()):
        if measure in verdict.reasons:
            raise Disagreement(measure, verdict.reasons[measure])
    _check_outcomes("outputs", program, found, expected)
    return "accepted"


def _check_minits(program: Program, backends: Collection[str]) -> Outcome | None:
    expected = observe(program, TorchJit())
    if expected.crash or _is_internal(expected.error):
        return None
    rounds = _rounds(program, Minits())
    found = rounds[0]
    if expected.error is not None or found.error is not None:
        _check_refusal("minits", found, expected)
        return "refused"
    verdict = judge("program", found, expected, None, expected.implementation)
    if "names" in verdict.reasons and loses_writes_after_loops(program, expected):
        return None
    for measure in ("names", "code"):
        if measure in verdict.reasons:
            raise Disagreement(measure, verdict.reasons[measure])
    reference = observe(program, Interpreter())
    if forgets_what_branches_leave(program):
        expected = reference
    if "interpreter" in backends:
        _check_outcomes("interpreter", program, reference, expected)
    if "python" in backends:
        _check_rounds("outputs", program, rounds, reference, expected)
    if "cached" in backends:
        with TemporaryDirectory() as folder:
            for measure in ("empty cache", "filled cache"):
                rounds = _rounds(program, Again(folder))
                _check_rounds(measure, program, rounds, reference, expected)
    if "native" in backends:
        rounds = _rounds(program, Native())
        _check_rounds("native", program, rounds, reference, expected)
        if AS_C.intersection(rounds[0].ran_as):
            return "native"
    return "accepted"


def _rounds(program: Program, minits: Minits) -> list[Observation]:
    """What each round of the same calls does. Raises `Disagreement` for a crash."""
    count = len(program.calls)
    found = observe(replace(program, calls=program.calls * ROUNDS), minits)
    if found.crash:
        raise Disagreement("crash", found.crash)
    numbers = range(ROUNDS)
    return [replace(found, calls=found.calls[at * count : (at + 1) * count]) for at in numbers]


def _check_rounds(
    measure: str,
    program: Program,
    rounds: list[Observation],
    reference: Observation,
    expected: Observation,
) -> None:
    for found in rounds:
        _check_outcomes(measure, program, _without_needless_faults(found, reference), expected)
        _check_lines(found)


def _check_outcomes(
    measure: str, program: Program, found: Observation, expected: Observation
) -> None:
    """Raises `Disagreement` where calls differ from torch.jit's, with and without optimisations."""
    difference = _difference(found, expected)
    if not difference or not _difference(found, observe(program, PlainTorchJit())):
        return
    if not adds_a_list_to_itself(program):
        raise Disagreement(measure, difference)


def _difference(found: Observation, expected: Observation) -> str | None:
    """The first call that differs, of those that torch.jit does not end by a fault of its own."""
    said = [not _is_internal(outcome.get("raises")) for outcome in expected.calls]
    mine, theirs = (
        replace(each, calls=[*compress(each.calls, said)]) for each in (found, expected)
    )
    return output_difference(mine, theirs)


def _is_internal(fault: dict[str, Any] | None) -> bool:
    """Whether torch.jit failed at one of its own assertions, or at comparing two constants."""
    own = ("INTERNAL ASSERT", "constant literal not supported for")
    return fault is not None and any(text in fault["message"] for text in own)


def _without_needless_faults(found: Observation, reference: Observation) -> Observation:
    """The observation `found`, but with `reference`'s outcome of calls that fail in an operator.

    Nobody may need the operator's result. Both compilers leave such operators out, torch.jit others
    than minits, and then the program goes on: to its end, or to another fault.
    """
    calls = []
    for mine, theirs in zip(found.calls, reference.calls, strict=True):
        fault = theirs.get("raises")
        may_be_left_out = fault is not None and fault["kind"] == "failed"
        calls.append(theirs if may_be_left_out else mine)
    return replace(found, calls=calls)


def _check_lines(found: Observation) -> None:
    """Every fault has a line; which one may depend on what was left out since nobody needs it."""
    for outcome in found.calls:
        raised = outcome.get("raises")
        if raised and raised["kind"] != "arguments" and raised["line"] is None:
            raise Disagreement("line", f"{raised} at no line")


def _check_refusal(who: str, found: Observation, expected: Observation) -> None:
    if found.error is None:
        raise Disagreement("refused", f"{who} accepts it; torch.jit: {expected.error}")
    if expected.error is None:
        raise Disagreement("accepted", f"{who} refuses it: {found.error}")
    mine, theirs = found.error["line"], expected.error["line"]
    if theirs is not None and mine != theirs:
        reason = f"{mine}, not {theirs}\n{who}: {found.error}\ntorch.jit: {expected.error}"
        raise Disagreement("line", reason)
