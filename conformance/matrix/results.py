"""Results of the suite by pair of Python and torch, and the file that keeps them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from conformance.compare import Verdict

RESULTS = Path(__file__).with_name("results.json")
BEHAVIOUR = ("compiles", "outputs", "refused", "line", "class")
"""The measures of what programs do: they compute the same, or are refused at the same line."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of programs, those that did not do what was recorded, and why.

    graphs: the number of programs that compile to the recorded graphs.
    """

    total: int
    graphs: int
    wrong: dict[str, list[str]]

    @classmethod
    def of(cls, verdicts: list[Verdict]) -> Tally:
        wrong = {
            verdict.case: [name for name in BEHAVIOUR if verdict.results.get(name) is False]
            for verdict in verdicts
        }
        wrong = {case: measures for case, measures in wrong.items() if measures}
        graphs = sum(verdict.results.get("structure", False) for verdict in verdicts)
        return cls(len(verdicts), graphs, wrong)

    @property
    def right(self) -> int:
        return self.total - len(self.wrong)


@dataclass(frozen=True, slots=True)
class Result:
    """One run: a pair, its day, and the tallies by implementation.

    warning: what torch.jit says of itself on this pair, "" if nothing.
    """

    python: str
    torch: str
    date: str
    machine: str
    warning: str
    tallies: dict[str, Tally]

    @property
    def pair(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Python's and torch's version to the minor one: what a later run replaces."""
        return _minor(self.python), _minor(self.torch)

    def to_data(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Result:
        tallies = {name: Tally(**tally) for name, tally in data["tallies"].items()}
        return cls(**{**data, "tallies": tallies})


def _minor(version: str) -> tuple[int, ...]:
    major, minor, *_ = version.partition("+")[0].split(".")
    return int(major), int(minor)


def read_results(path: Path = RESULTS) -> list[Result]:
    """Return the results that are kept, by pair."""
    if not path.exists():
        return []
    found = [Result.from_data(data) for data in json.loads(path.read_text("utf-8"))]
    return sorted(found, key=lambda result: result.pair)


def keep(result: Result, path: Path = RESULTS) -> None:
    """Write a result in the place of an earlier one of the same pair."""
    kept = [each for each in read_results(path) if each.pair != result.pair]
    data = [each.to_data() for each in sorted([*kept, result], key=lambda each: each.pair)]
    path.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
