"""A measurement while it goes on: what it is of, and the figures that it has found."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.gpu.timing import Machine
from benchmarks.patterns import Pattern


@dataclass
class Run:
    """A measurement: its patterns and settings, and the figures found so far.

    `seconds` is the time for all of it; what has not begun by then is left out, and counted.
    `limit` is the time that each way to run a pattern has to get warm.
    """

    machine: Machine
    patterns: list[Pattern]
    peers: list[str]
    rounds: int
    output: Path
    seconds: float = float("inf")
    limit: float = 60
    figures: dict[str, Any] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)

    @property
    def is_late(self) -> bool:
        return time.monotonic() - self.started > self.seconds

    def note(self, **found: Any) -> None:
        """Add to the figures, and write the file: what comes may not end."""
        self.figures.update(found)
        self.output.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.output.with_suffix(".tmp")
        unfinished.write_text(json.dumps(self.figures, indent=1) + "\n", encoding="utf-8")
        unfinished.replace(self.output)
