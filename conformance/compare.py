"""The measures of an observation, and the verdict on each."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from conformance.canonical import at_level, mask_foreign_ranges
from conformance.observation import Observation
from conformance.tolerances import difference, tolerance_for

POSITIVE = ("compiles", "outputs", "structure", "ranges", "names", "code", "raising_line")
NEGATIVE = ("refused", "line", "class")
"""The measures of a program that must compile, and of one that must be refused.

compiles    it is compiled
outputs     every call returns or raises the same, and leaves its arguments the same
structure   the graphs of all its functions are the same: nodes, order, types, constants
ranges      ... and their source ranges
names       ... and their value names
code        `.code` is the same for all its functions
place       every call that raises names the same line of the program, where torch.jit names one
refused     it is refused
line        ... with its first error on the line marked in the case (torch.jit itself names no line
            for a few; an implementation has to)
class       ... by the same class: unsupported syntax or another fault
"""


@dataclass(slots=True)
class Verdict:
    """The verdict on one case: for each measure whether it passed, and if not, the reason."""

    case: str
    results: dict[str, bool] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    ran_as: list[str] = field(default_factory=list)
    """The ways in which calls of the program ran."""

    def check(self, measure: str, reason: str | None) -> None:
        """Record a pass, or a failure with its reason."""
        self.results[measure] = reason is None
        if reason is not None:
            self.reasons[measure] = reason

    @property
    def passed(self) -> bool:
        return all(self.results.values())


def judge(
    name: str, found: Observation, expected: Observation, error_line: int | None, torch: str
) -> Verdict:
    """Measure `found` against `expected`.

    `torch` is the installed torch, `torch 2.13.0`: source lines in torch's own files, and graphs of
    its functions, are compared only with expectations recorded from the same one.
    """
    verdict = Verdict(name)
    if error_line is not None:
        _judge_refusal(verdict, found, expected, error_line)
        return verdict
    refusal = found.error and f"refused: line {found.error['line']}: {found.error['message']}"
    nothing = found.crash if not found.graphs else None
    if nothing or refusal or expected.error:
        reason = nothing or refusal or "the recorded expectation is a refusal"
        for measure in POSITIVE:
            verdict.check(measure, reason)
        return verdict
    _judge_program(verdict, found, expected, torch)
    return verdict


def _judge_refusal(
    verdict: Verdict, found: Observation, expected: Observation, error_line: int
) -> None:
    missing = found.crash or ("accepted" if found.error is None else None)
    if missing or found.error is None:
        for measure in NEGATIVE:
            verdict.check(measure, missing)
        return
    verdict.check("refused", None)
    line, message = found.error["line"], found.error["message"]
    silent = found.implementation.startswith("torch ") and line is None
    good = line == error_line or (silent and expected.error and expected.error["line"] is None)
    wrong = None if good else f"line {line}, expected {error_line}: {message}"
    verdict.check("line", wrong)
    if expected.error is None or expected.error["line"] is None:
        return  # torch.jit stumbles over the program rather than refuses it
    mine, theirs = (is_unsupported(seen["kind"]) for seen in (found.error, expected.error))
    verdict.check("class", None if mine == theirs else f"{found.error['kind']}: {message}")


def is_unsupported(kind: str) -> bool:
    """Whether an error's class says that the syntax is outside the language.

    torch's other classes (RuntimeError, ValueError, ...) depend on whether Python or C++ found the
    fault; they count as one.
    """
    return kind in ("NotSupportedError", "UnsupportedNodeError")


def _judge_program(verdict: Verdict, found: Observation, expected: Observation, torch: str) -> None:
    verdict.check("compiles", None)
    verdict.check("outputs", found.crash or output_difference(found, expected))
    verdict.check("raising_line", raising_line_difference(found, expected))
    mask: Callable[[str], str] = str
    if torch != expected.implementation:
        found, expected = _without_functions_of_torch(found), _without_functions_of_torch(expected)
        mask = mask_foreign_ranges
    for level in ("structure", "ranges", "names"):
        verdict.check(level, graph_difference(found, expected, level, mask))
    verdict.check("code", text_difference(found.code, expected.code))


def _without_functions_of_torch(seen: Observation) -> Observation:
    """Return an observation without the graphs and code of what torch's own files define."""

    def own(texts: dict[str, str]) -> dict[str, str]:
        return {name: text for name, text in texts.items() if not name.startswith("torch.")}

    return replace(seen, graphs=own(seen.graphs), code=own(seen.code))


def output_difference(found: Observation, expected: Observation) -> str | None:
    """The first call that differs in what it returns, raises or leaves in its arguments."""
    if len(found.calls) != len(expected.calls):
        return f"{len(found.calls)} calls, expected {len(expected.calls)}: run --update"
    tolerance = tolerance_for(expected.graphs.values())
    for index, (mine, theirs) in enumerate(zip(found.calls, expected.calls, strict=True)):
        mine, theirs = (_without_line(outcome) for outcome in (mine, theirs))
        fault = difference(mine, theirs, tolerance, f"call {index}")
        if fault:
            return fault
    return None


def _without_line(outcome: dict[str, object]) -> dict[str, object]:
    """Return an outcome with its error as a kind, and a message if the program chose it."""
    raised = outcome.get("raises")
    if not isinstance(raised, dict):
        return outcome
    fault = {"kind": raised["kind"]}
    if raised["kind"] == "raised":
        fault["message"] = raised["message"]
    return {**outcome, "raises": fault}


def raising_line_difference(found: Observation, expected: Observation) -> str | None:
    """The first call that raises at another line; where torch.jit names none, any is right."""
    for index, (mine, theirs) in enumerate(zip(found.calls, expected.calls, strict=False)):
        if "raises" not in mine or "raises" not in theirs:
            continue
        line, wanted = mine["raises"]["line"], theirs["raises"]["line"]
        if wanted is not None and line != wanted:
            return f"call {index} raises at line {line}, expected {wanted}"
    return None


def graph_difference(
    found: Observation, expected: Observation, level: str, mask: Callable[[str], str] = str
) -> str | None:
    """The difference of the graphs at `level`, as a unified diff; None if there is none."""

    def reduced(graphs: dict[str, str]) -> dict[str, str]:
        return {name: at_level(mask(text), level) for name, text in graphs.items()}

    return text_difference(reduced(found.graphs), reduced(expected.graphs))


def text_difference(
    found: dict[str, str],
    expected: dict[str, str],
    names: tuple[str, str] = ("expected", "found"),
    context: int = 2,
) -> str | None:
    """Return how two sets of named texts differ, line by line; None if they do not."""
    if found == expected:
        return None
    lines: list[str] = []
    for name in dict.fromkeys([*expected, *found]):
        before, after = expected.get(name, "").splitlines(), found.get(name, "").splitlines()
        titles = (f"{each} {name}" for each in names)
        lines += difflib.unified_diff(before, after, *titles, n=context, lineterm="")
    return "\n".join(lines)
