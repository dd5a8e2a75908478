"""Speed of programs as C, beside torch.jit's interpreter, generated Python and Python itself.

    python -m benchmarks native [--rounds N]

All are called in turns in one process; the ratios are medians of the rounds' ratios. Targets (issue
15, section 5): loops of numbers and of elements of tensors at least 30 times torch.jit's speed,
those of lists 10 times, those of dicts and strings twice, and a call at most 2 µs above the C.
"""

from __future__ import annotations

import json
import os
import statistics
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table

import minits
from benchmarks import native_programs as programs
from benchmarks.calls import call_microseconds, seconds

MOST_MICROSECONDS = 2.0
"""Microseconds that a call may take in all where the C does next to nothing."""


def compiled(program: Callable[..., Any], mode: str, argument: int) -> Any:
    """Return a compiled program whose plan was made with this value of MINITS_NATIVE."""
    os.environ["MINITS_NATIVE"] = mode
    made = minits.script(program)
    for _ in range(3):
        made(argument)
    report = made.plan_report()
    assert ("runs as C" in report) == (mode == "now"), report
    return made


def measure(program: Callable[..., Any], argument: int, rounds: int) -> tuple[float, list[float]]:
    """Return torch.jit's seconds, and the speeds of C, generated Python and Python beside it."""
    from minits.compilation_state import STATE

    theirs = torch.jit.script(program)
    theirs(argument), theirs(argument)
    native = compiled(program, "now", argument)
    STATE.clear()
    ways = (theirs, native, compiled(program, "off", argument), program)
    times = [[seconds(way, (argument,)) for way in ways] for _ in range(rounds)]
    base = statistics.median(row[0] for row in times)
    return base, [statistics.median(row[0] / row[way] for row in times) for way in (1, 2, 3)]


def call_overhead(rounds: int) -> list[float]:
    """Return the µs of a call by torch.jit, as C, of the plan's function alone, and by Python."""
    program = programs.successor
    ours = compiled(program, "now", 1)
    ways = (torch.jit.script(program), ours, ours.plan_for(1).native.native.call, program)
    return call_microseconds(ways, 1, rounds)


def run(rounds: int, file: str | None = None) -> int:
    """Print the table. Return 0 if every target is met."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    table = Table("program", "torch.jit", "C", "generated Python", "Python", "target", "")
    results: list[dict[str, Any]] = []
    for program, argument, target in programs.HOT:
        base, (native, generated, python) = measure(program, argument, rounds)
        met = native >= target
        results.append({"program": program.__name__, "speed": native, "met": met})
        cells = (f"{base * 1e3:.2f} ms", f"{native:.1f}x", f"{generated:.2f}x", f"{python:.2f}x")
        table.add_row(program.__name__, *cells, f"{target:.0f}x", "" if met else "missed")
    theirs, ours, alone, plain = call_overhead(rounds)
    met = alone <= MOST_MICROSECONDS
    results.append({"program": "call", "microseconds": alone, "with checks": ours, "met": met})
    cells = (f"{theirs:.2f} µs", f"{alone:.2f} µs (checked: {ours:.2f} µs)", "", f"{plain:.2f} µs")
    table.add_row("a call", *cells, f"{MOST_MICROSECONDS} µs", "" if met else "missed")
    Console().print(table)
    if file:
        Path(file).write_text(json.dumps(results, indent=1) + "\n")
    return 0 if all(result["met"] for result in results) else 1
