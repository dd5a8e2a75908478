"""The observation of a case, and its reviewable text form, which is the recorded expectation.

    torch 2.13.0
    === graph program
    graph(%x.1 : Tensor):
      ...
    === code program
    def program(x: Tensor) -> Tensor:
      ...
    === call 0
    {"result": {"int": 3}, "arguments": [{"int": 1}]}

A refused program has one section `error` instead.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.case import EXPECTED, Case

_SECTION = "=== "


@dataclass(slots=True)
class Observation:
    """The behaviour of one implementation on one case; `graphs` and `code` go by function name."""

    implementation: str
    graphs: dict[str, str] = field(default_factory=dict)
    code: dict[str, str] = field(default_factory=dict)
    calls: list[dict[str, Any]] = field(default_factory=list)
    error: dict[str, Any] | None = None
    crash: str | None = None
    """Why there is nothing to see: a timeout, a dead process, a fault of the case file itself."""
    ran_as: list[str] = field(default_factory=list)
    """The ways in which calls ran (`Implementation.ran_as`); not part of the expectation."""

    def render(self) -> str:
        sections = [self.implementation]
        for name, graph in self.graphs.items():
            sections.append(f"{_SECTION}graph {name}\n{graph}")
            sections.append(f"{_SECTION}code {name}\n{self.code[name]}")
        for index, outcome in enumerate(self.calls):
            sections.append(f"{_SECTION}call {index}\n{json.dumps(outcome)}")
        if self.error is not None:
            sections.append(f"{_SECTION}error\n{json.dumps(self.error, indent=1)}")
        return "\n".join(sections) + "\n"

    @classmethod
    def parse(cls, text: str) -> Observation:
        head, *sections = text.rstrip("\n").split(f"\n{_SECTION}")
        found = cls(head)
        for section in sections:
            title, _, body = section.partition("\n")
            kind, _, name = title.partition(" ")
            if kind == "graph":
                found.graphs[name] = body
            elif kind == "code":
                found.code[name] = body
            elif kind == "call":
                found.calls.append(json.loads(body))
            else:
                found.error = json.loads(body)
        return found


def expectation_path(case: Case, folder: Path = EXPECTED) -> Path:
    return folder / f"{case.name}.txt"


def read_expectation(case: Case, folder: Path = EXPECTED) -> Observation | None:
    """The recorded expectation; None if the case has none yet."""
    path = expectation_path(case, folder)
    return Observation.parse(path.read_text("utf-8")) if path.exists() else None


def write_expectation(case: Case, observation: Observation, folder: Path = EXPECTED) -> bool:
    """Record `observation` and return whether the file changed."""
    path = expectation_path(case, folder)
    text = observation.render()
    if path.exists() and path.read_text("utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return True
