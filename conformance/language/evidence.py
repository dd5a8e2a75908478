"""The outcome of a program with torch.jit and with minits: the stage it reaches, and the message.

torch.jit's is what was recorded; minits' is seen now.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import count

from conformance.case import Case
from conformance.implementations import implementation
from conformance.observation import Observation, read_expectation
from conformance.observe import observe

STAGES = ("parse", "type-check", "run")
_SYNTAX = ("NotSupportedError", "FrontendError")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The outcome of a program.

    `reached` is the last stage that it passed ("" if none; "run" if a call returned), `refused_at`
    the first that refused it, or a call of it ("" if none did), and `message` says why.
    """

    reached: str
    refused_at: str
    message: str
    graph: str

    @classmethod
    def of(cls, seen: Observation) -> Evidence:
        """Sum up an observation. Raises ValueError where nothing was seen."""
        if seen.crash is not None:
            raise ValueError(seen.crash)
        if seen.error is not None:
            message = _in_a_fresh_process(seen.error["message"])
            if seen.error["kind"] in _SYNTAX:
                return cls("", "parse", message, "")
            return cls("parse", "type-check", message, "")
        raised = [
            _in_a_fresh_process(outcome["raises"]["message"])
            for outcome in seen.calls
            if "raises" in outcome
        ]
        returns = len(raised) < len(seen.calls)
        graph = next(iter(seen.graphs.values()), "")
        return cls(
            "run" if returns else "type-check",
            "run" if raised else "",
            *raised[:1] or [""],
            _in_a_fresh_process(graph),
        )

    def passed(self, stage: str) -> bool:
        """Whether the program got through a stage."""
        return self.reached in STAGES and STAGES.index(stage) <= STAGES.index(self.reached)


def _in_a_fresh_process(text: str) -> str:
    """Renumber the parts of a text that a process counts: warnings, and types of the same name."""
    numbers = count()
    text = re.sub(r"(?<=\[warn_id=)\d+", lambda _: str(next(numbers)), text)
    return re.sub(r"___torch_mangle_\d+\.", "", text)


@cache
def torch_evidence(case: Case) -> Evidence:
    """Return the outcome with torch.jit. Raises ValueError where nothing is recorded."""
    seen = read_expectation(case)
    if seen is None:
        raise ValueError(f"nothing is recorded for {case.name}: run --update")
    return Evidence.of(seen)


@cache
def minits_evidence(case: Case) -> Evidence:
    """Return the outcome with minits. Raises ValueError where minits crashes."""
    return Evidence.of(observe(case, implementation("minits")))
