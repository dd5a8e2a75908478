"""One program, one result: the calls of each case by every way in which minits runs them.

Each way makes the calls of a case several times over: with MINITS_BUILD=again, in an empty cache
and in one that has the plans; planned at once; as C; and planned at once without one of the passes.
Each must give what the interpreter gives: results, errors, printed text, and arguments afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import cycle, islice
from tempfile import TemporaryDirectory
from typing import Any

from conformance.case import Call, Case, Program
from conformance.compare import output_difference
from conformance.fuzz.language.ways import Again, AtOnce, Interpreter, Native
from conformance.implementations import FunctionText
from conformance.minits_implementation import Minits
from conformance.observation import read_expectation
from conformance.observe import observe
from conformance.pool import Send, run_tasks
from minits.passes.pipeline import passes_in, without_passes

ROUNDS = 3
"""How often the calls of a program are made."""
NEEDED: dict[str, str] = {}
"""Passes that plans cannot do without, and why."""
LEFT_OUT: dict[str, str] = {
    "torch_functions/generator_of_a_called_function": "the generator of a function is one constant,"
    " as torch has it; where calls are inlined, its seed is asked for while compiling, before a"
    " call sets it, in the interpreter after that",
    "strings/text_of_objects": "the text of an object has the name of its class, to which each"
    " compilation in one process gives another number",
}
"""Cases whose calls may differ, and why."""
TIMEOUT = 300.0
"""Seconds that one way of running a case may take."""


def optional_passes() -> tuple[str, ...]:
    """Return the passes of plans that can be switched off, each once, in the order of pipelines."""
    names = dict.fromkeys(passes_in(("plan", "plan-flags", "fusion")))
    return tuple(name for name in names if name not in NEEDED)


@dataclass(slots=True)
class Result:
    """What became of a case: how often it was run, the calls of that, and the ways that differ."""

    ways: int = 0
    calls: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Repeated(Case):
    """A case whose calls are made several times over."""

    rounds: int = ROUNDS

    def load(self, package: str = "cases") -> Program:
        return _RepeatedProgram(super().load(package).module, self.rounds)


@dataclass(frozen=True)
class _RepeatedProgram(Program):
    rounds: int = ROUNDS

    def calls(self) -> list[Call]:
        return [call for _ in range(self.rounds) for call in Program.calls(self)]


def runnable(cases: list[Case]) -> list[Case]:
    """The cases that compile and are not left out."""
    return [case for case in cases if case.error_line is None and case.name not in LEFT_OUT]


def in_turns(cases: Sequence[Case], passes: Sequence[str], number: int) -> dict[str, list[str]]:
    """Return for each case, by its name, so many of the passes: the ones after the last case's."""
    rest = cycle(passes)
    return {case.name: [*islice(rest, number)] for case in cases}


def check_ways(
    cases: list[Case],
    without: Mapping[str, Sequence[str]],
    rounds: int = ROUNDS,
    jobs: int = 1,
) -> Iterator[tuple[str, Result]]:
    """Yield the name of each runnable case, and what became of it.

    without: the passes to switch off, one after the other, by the name of the case
    """
    work = partial(check_case, rounds, without)
    preload = ["conformance.ways", "conformance.observe", "conformance.minits_implementation"]
    for ended in run_tasks(work, runnable(cases), jobs, TIMEOUT, preload):
        result = Result()
        for way, calls, fault in ended.sent:
            result.ways += 1
            result.calls += calls
            result.faults += [f"{way}: {fault}"] if fault else []
        if ended.lost:
            result.faults.append(f"after {result.ways} ways: {ended.lost}")
        yield ended.task.name, result


def check_case(rounds: int, without: Mapping[str, Sequence[str]], case: Case, send: Send) -> None:
    """Send the name of each way, its number of calls, and what differs: the work of a process.

    without: as in `check_ways`
    """
    repeated = _Repeated(case.path, case.root, rounds)
    recorded = read_expectation(case)
    reference = observe(repeated, _quiet(Interpreter()))
    if recorded is not None:
        reference = replace(reference, graphs=recorded.graphs)  # which have the tolerance
    fault = reference.crash or (reference.error and f"refused: {reference.error['message']}")
    send(("interpreter", len(reference.calls), fault))
    if fault:
        return
    off = without.get(case.name, ())
    with TemporaryDirectory() as folder:
        ways: list[tuple[str, Minits, Any]] = [
            ("empty cache", Again(folder), nullcontext()),
            ("filled cache", Again(folder), nullcontext()),
            ("planned at once", AtOnce(), nullcontext()),
            ("as C", Native(), nullcontext()),
            *((f"without {name}", AtOnce(), without_passes(name)) for name in off),
        ]
        for name, implementation, setting in ways:
            with setting:
                found = observe(repeated, _quiet(implementation))
            send((name, len(found.calls), found.crash or output_difference(found, reference)))


def _quiet(implementation: Minits) -> Minits:
    """Return the implementation without the texts of functions, which are the same in all ways."""
    implementation.functions = _no_functions  # type: ignore[method-assign]
    return implementation


def _no_functions(compiled: Any) -> Iterator[FunctionText]:
    return iter(())
