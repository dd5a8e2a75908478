"""Times of calls beside torch.jit's and eager's, taken in turns; a table, and targets for it."""

from __future__ import annotations

import json
import statistics
import time
import warnings
from collections.abc import Callable, Sequence
from copy import deepcopy
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import torch
from rich.console import Console
from rich.table import Table

_SAMPLE = 50
"""Calls that are timed at a time."""
_WAYS = ("torch.jit", "minits", "eager")

Call = tuple[tuple[Any, ...], dict[str, Any]]
"""The arguments of a call, by position and by name."""


class Targets(NamedTuple):
    """What the ratio to torch.jit's time may be: in the median of the rows, and in each."""

    median: float = 1.1
    most: float = 1.5


USUAL = Targets()


def begin() -> None:
    """Let one thread compute, and nothing warn."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)


def measured(program: Any, compiled: Any, calls: Sequence[Call], rounds: int) -> dict[str, Any]:
    """Return the median microseconds of a call in each way, and the ratio to torch.jit's time.

    The calls take turns. Raises AssertionError where results differ.
    """
    ways = (torch.jit.script(program), compiled, program)
    with torch.no_grad():
        for args, kwargs in [*calls, *[calls[-1]] * 10]:
            results = [way(*deepcopy(args), **deepcopy(kwargs)) for way in ways]
            for each in results[1:]:
                torch.testing.assert_close(each, results[0])
        times = [[_seconds(way, calls) for way in ways] for _ in range(rounds)]
    return {
        **{
            way: statistics.median(column) * 1e6
            for way, column in zip(_WAYS, zip(*times, strict=True), strict=True)
        },
        "ratio": statistics.median(mine / theirs for theirs, mine, _ in times),
    }


def _seconds(function: Callable[..., Any], calls: Sequence[Call]) -> float:
    given = list(islice(cycle(calls), _SAMPLE))
    started = time.perf_counter()
    for args, kwargs in given:
        function(*args, **kwargs)
    return (time.perf_counter() - started) / _SAMPLE


def report(
    rows: Sequence[dict[str, Any]],
    named: str,
    file: str | None,
    targets: Targets = USUAL,
) -> int:
    """Print rows, and write them to a file if one is given. Return 0 if the targets are met.

    named: the key of their names; a row may say of a plan whether it is `native`
    """
    has_plans = any("native" in row for row in rows)
    times = [f"{way}, µs" for way in _WAYS]
    table = Table(named, *times, "minits/torch.jit", *(["as C"] if has_plans else []))
    for row in rows:
        cells = [row[named], *[f"{row[way]:.1f}" for way in _WAYS], f"{row['ratio']:.2f}"]
        table.add_row(*cells, *(["yes" if row["native"] else ""] if has_plans else []))
    ratios = [row["ratio"] for row in rows]
    console = Console()
    console.print(table)
    console.print(f"median {statistics.median(ratios):.2f}, greatest {max(ratios):.2f}")
    if file:
        Path(file).write_text(json.dumps(rows, indent=1) + "\n")
    median, most = targets
    is_met = statistics.median(ratios) <= median and max(ratios) <= most
    return 0 if is_met else 1
