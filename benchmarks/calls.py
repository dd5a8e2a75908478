"""Speed of compiled functions on scalars, containers and small tensors, where overhead counts.

    python -m benchmarks calls [--rounds N]

Each program is run by torch.jit's interpreter, by minits and by Python itself, in turns in one
process; the ratios are medians of the rounds' ratios. Targets: scalar loops
at least 2 times torch.jit's speed, containers 2.5 times, loops of small tensor operators 0.55
times, and a call at most 3 µs above the call of the plain Python function. The launch of a kernel,
which is all that a call with one kernel does when its plan has been found, may cost 2.5 µs more
than the call of an empty function. Binding kernels to a shape may make the
first call with it 50 µs longer than later ones.
"""

from __future__ import annotations

import json
import statistics
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table

import minits
from benchmarks import binding
from benchmarks import programs_calls as programs
from benchmarks.launch import MOST_MICROSECONDS, launch_seconds


@dataclass(frozen=True)
class Row:
    """One program with its arguments; `target` is how much faster than torch.jit it has to be."""

    group: str
    program: Callable[..., Any]
    arguments: tuple[Any, ...]
    target: float


def rows() -> list[Row]:
    x = torch.full((2, 2), 0.25)
    scalar = [
        programs.scalar_int,
        programs.scalar_float,
        programs.scalar_wrapping,
        programs.collatz,
    ]
    container = [programs.list_sieve, programs.list_append, programs.dict_count, programs.strings]
    tensor = [programs.tensor_scale, programs.tensor_pairs, programs.tensor_cell]
    return [
        *(Row("scalar", program, (20_000,), 2.0) for program in scalar),
        *(Row("container", program, (10_000,), 2.5) for program in container),
        *(Row("tensor", program, (1_000, x), 0.55) for program in tensor),
    ]


def seconds(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def measure(row: Row, rounds: int) -> tuple[float, float, float]:
    """Return torch.jit's median seconds, and the speeds of minits and of Python relative to it."""
    ways = (torch.jit.script(row.program), minits.script(row.program), row.program)
    for way in ways:
        for _ in range(3):
            way(*row.arguments)
    times = [[seconds(way, row.arguments) for way in ways] for _ in range(rounds)]
    ours = statistics.median(theirs / mine for theirs, mine, _ in times)
    python = statistics.median(theirs / plain for theirs, _, plain in times)
    return statistics.median(theirs for theirs, _, _ in times), ours, python


def call_overhead(rounds: int) -> list[float]:
    """Return the µs of one call of the identity, by torch.jit, minits and Python."""
    program = programs.identity
    ways = (torch.jit.script(program), minits.script(program), program)
    return call_microseconds(ways, torch.ones(2), rounds)


def call_microseconds(
    ways: Sequence[Callable[..., Any]], argument: Any, rounds: int
) -> list[float]:
    """Return the µs of one call of each of these functions, with one argument."""
    count = 20_000

    def repeat(way: Callable[..., Any]) -> float:
        start = time.perf_counter()
        for _ in range(count):
            way(argument)
        return (time.perf_counter() - start) / count * 1e6

    return [statistics.median(repeat(way) for _ in range(rounds)) for way in ways]


def run(rounds: int, file: str | None = None) -> int:
    """Print the table. Return 0 if every target is met."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    table = Table("", "program", "torch.jit", "minits", "Python", "target", "")
    results: list[dict[str, Any]] = []
    for row in rows():
        base, ours, python = measure(row, rounds)
        met = ours >= row.target
        results.append({"program": row.program.__name__, "speed": ours, "python": python})
        cells = (f"{base * 1e3:.2f} ms", f"{ours:.2f}x", f"{python:.2f}x", f"{row.target:.2f}x")
        table.add_row(row.group, row.program.__name__, *cells, _verdict(met))
        results[-1]["met"] = met
    theirs, mine, plain = call_overhead(rounds)
    met = mine - plain <= MOST_ABOVE_PYTHON
    results.append({"program": "identity", "microseconds": mine, "python": plain, "met": met})
    cells = (f"{theirs:.2f} µs", f"{mine:.2f} µs", f"{plain:.2f} µs", f"+{MOST_ABOVE_PYTHON} µs")
    table.add_row("call", "identity", *cells, _verdict(met))
    launch = launch_seconds("cpu", rounds) * 1e6
    met = launch <= MOST_MICROSECONDS
    results.append({"program": "launch", "microseconds": launch, "met": met})
    cells = ("", f"+{launch:.2f} µs", "", f"+{MOST_MICROSECONDS} µs")
    table.add_row("launch", "scaled_tanh", *cells, _verdict(met))
    for program in binding.PROGRAMS:
        bound = binding.binding_seconds(program, rounds) * 1e6
        met = bound <= binding.MOST_MICROSECONDS
        results.append({"program": f"binding {program.__name__}", "microseconds": bound})
        results[-1]["met"] = met
        cells = ("", f"+{bound:.0f} µs", "", f"+{binding.MOST_MICROSECONDS} µs")
        table.add_row("binding", program.__name__, *cells, _verdict(met))
    Console().print(table)
    if file:
        Path(file).write_text(json.dumps(results, indent=1) + "\n")
    return 0 if all(result["met"] for result in results) else 1


MOST_ABOVE_PYTHON = 3
"""Microseconds that a call may cost above the plain Python function's."""


def _verdict(met: bool) -> str:
    return "" if met else "missed"
