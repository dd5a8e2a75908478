"""Programs that a tensor compiler may make slower than eager: minits, eager and torch.jit.

    python -m benchmarks cliffs [--rounds N] [--only TEXT] [--json FILE]

A row is a program with the calls of one round; all three ways run the same calls in turn in one
process, on one thread. What counts is the whole round, the first ones left out, so that what is
built again and again is seen. It is measured in processor time, since a round may be longer than a
shared machine leaves one alone; compilers that are started do not count. Ratios are medians of the
rounds' ratios to eager: below 0.9, a row is a cliff.
"""

from __future__ import annotations

import json
import statistics
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import minits
from benchmarks.cliff_programs import Row, rows

CLIFF = 0.9
"""The ratio to eager from which on a program has lost nothing by being compiled."""
_WARM = 2
"""Rounds that are not counted: what is built once is built in them."""

Call = Callable[..., Any]


def measure(row: Row, rounds: int) -> tuple[float, float, float]:
    """Return eager's seconds for a round, and the speeds of minits and torch.jit relative to it."""
    ways = (row.program, minits.script(row.program), torch.jit.script(row.program))
    times = []
    for turn in range(_WARM + rounds):
        calls = row.calls(turn)
        order = [(turn + k) % len(ways) for k in range(len(ways))]
        found = {k: _seconds(ways[k], calls) for k in order}
        times.append([found[k] for k in range(len(ways))])
    times = times[_WARM:]
    return (
        statistics.median(eager for eager, _, _ in times),
        statistics.median(eager / ours for eager, ours, _ in times),
        statistics.median(eager / theirs for eager, _, theirs in times),
    )


def _seconds(way: Call, calls: list[tuple[Any, ...]]) -> float:
    start = time.process_time()
    for arguments in calls:
        way(*arguments)
    return time.process_time() - start


def run(rounds: int, only: str | None = None, file: str | None = None) -> int:
    """Print the table. Return 0 if no row is a cliff."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    table = Table("program", "eager, a call", "minits", "torch.jit", "")
    results = []
    for row in rows():
        if only is not None and only not in row.name:
            continue
        eager, ours, theirs = measure(row, rounds)
        microseconds = eager / len(row.calls(0)) * 1e6
        is_cliff = ours < CLIFF
        cells = (f"{microseconds:.1f} µs", f"{ours:.2f}x", f"{theirs:.2f}x")
        table.add_row(escape(row.name), *cells, "a cliff" if is_cliff else "")
        results.append(
            {"program": row.name, "eager_us": microseconds, "minits": ours, "torch.jit": theirs}
        )
    Console().print(table)
    if file:
        Path(file).write_text(json.dumps(results, indent=1) + "\n")
    return 1 if any(each["minits"] < CLIFF for each in results) else 0
