"""Time of calls by the kind of an argument, beside torch.jit: tuples, lists, texts, names.

    python -m benchmarks arguments [--rounds N]

Each program takes a tensor of four elements and one argument more, and does three small operators:
what counts is what lies between Python and them. A parameter's name after the kind says that the
argument is given by this name. No gradients are recorded. Target: at most 1.5 times torch.jit's
time for each, and 1.1 in the median.
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
from rich.table import Table

import minits
from benchmarks.argument_programs import PROGRAMS, A, with_optional_tensor

MEDIAN, MOST = 1.1, 1.5
_SAMPLE = 100
"""Calls that are timed at a time."""

Call = tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def calls() -> list[Call]:
    """Return for each row its name, a program, and the arguments of the call."""
    found: list[Call] = [
        (given.program.__name__.removeprefix("with_"), given.program, (A, given.good[0]), {})
        for given in PROGRAMS
    ]
    by_name = {"mask": torch.ones(4)}
    found.append(("optional_tensor, mask=", with_optional_tensor, (A,), by_name))
    found.append(("tensor, twice the same", PROGRAMS[0].program, (A, A), {}))
    return found


def run(rounds: int, file: str | None) -> int:
    """Print the table. Return 0 if the targets are met."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    table = Table("argument", "torch.jit, µs", "minits, µs", "eager, µs", "minits/torch.jit")
    found = []
    for call in calls():
        row = _measured(call, rounds)
        found.append(row)
        times = [f"{row[name]:.1f}" for name in ("torch.jit", "minits", "eager")]
        table.add_row(row["argument"], *times, f"{row['ratio']:.2f}")
    ratios = [row["ratio"] for row in found]
    console = Console()
    console.print(table)
    console.print(f"median {statistics.median(ratios):.2f}, greatest {max(ratios):.2f}")
    if file:
        Path(file).write_text(json.dumps(found, indent=1) + "\n")
    return 0 if statistics.median(ratios) <= MEDIAN and max(ratios) <= MOST else 1


def _measured(call: Call, rounds: int) -> dict[str, Any]:
    name, program, args, kwargs = call
    ways = (torch.jit.script(program), minits.script(program), program)
    with torch.no_grad():
        for _ in range(10):
            results = [way(*args, **kwargs) for way in ways]
        for each in results[1:]:
            torch.testing.assert_close(each, results[0])
        times = [[_seconds(way, args, kwargs) for way in ways] for _ in range(rounds)]
    medians = [statistics.median(column) * 1e6 for column in zip(*times, strict=True)]
    return {
        "argument": name,
        **dict(zip(("torch.jit", "minits", "eager"), medians, strict=True)),
        "ratio": statistics.median(mine / theirs for theirs, mine, _ in times),
    }


def _seconds(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
    started = time.perf_counter()
    for _ in range(_SAMPLE):
        function(*args, **kwargs)
    return (time.perf_counter() - started) / _SAMPLE
