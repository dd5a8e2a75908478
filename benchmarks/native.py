"""Speed of programs as C, beside torch.jit's interpreter, generated Python, Python and numba.

    python -m benchmarks native [--rounds N]

All are called in turns in one process; the ratios are medians of the rounds' ratios. Targets (issue
15, section 5): loops of numbers and of elements of tensors at least 30 times torch.jit's speed,
those of lists 10 times, those of dicts and strings twice, and a call at most 2 µs above the C.
Cells of recurrent networks are to take 2.5 times torch.jit's speed, other loops of small tensors
1.2 times. numba is an extra, `benchmark`; without it,
or where it does not have a program or has another result, its column is empty.
"""

from __future__ import annotations

import importlib.util
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
from benchmarks.native_tensor_programs import SMALL_TENSORS

numba: Any = importlib.import_module("numba") if importlib.util.find_spec("numba") else None

MOST_MICROSECONDS = 2.0
"""Microseconds that a call may take in all where the C does next to nothing."""


def compiled(program: Callable[..., Any], mode: str, argument: int) -> Any:
    """Return a compiled program whose plan was made with this value of MINITS_NATIVE."""
    os.environ["MINITS_NATIVE"] = mode
    made = minits.script(program)
    for _ in range(3):
        made(argument)
    assert mode == "now" or not runs_as_c(made), made.plan_report()
    return made


def runs_as_c(made: Any) -> bool:
    """Return whether the plan of a compiled program, or a loop of it, is C."""
    return "runs as C" in made.plan_report()


def by_numba(
    program: Callable[..., Any], argument: int, expected: Any
) -> Callable[..., Any] | None:
    """Return a program compiled by numba; None without numba, or where it cannot compile it.

    Nor is it returned where its result is another one: numba's integers need not wrap around.
    """
    if numba is None:
        return None
    made: Callable[..., Any] = numba.njit(program)
    try:
        found = made(argument)
    except numba.core.errors.NumbaError:
        return None
    return made if found == expected else None


def measure(
    program: Callable[..., Any], argument: int, rounds: int
) -> tuple[float, list[float | None]]:
    """Return torch.jit's seconds, and beside it the speeds of C, generated Python, Python, numba.

    None is the speed of what cannot run a program.
    """
    from minits.compilation_state import STATE

    theirs = torch.jit.script(program)
    for _ in range(3):
        theirs(argument)
    native = compiled(program, "now", argument)
    STATE.clear()
    ways = {
        "torch.jit": theirs,
        "C": native if runs_as_c(native) else None,
        "generated Python": compiled(program, "off", argument),
        "Python": program,
        "numba": by_numba(program, argument, theirs(argument)),
    }
    found = {name: way for name, way in ways.items() if way is not None}
    rows = [{name: seconds(way, (argument,)) for name, way in found.items()} for _ in range(rounds)]
    base = statistics.median(row["torch.jit"] for row in rows)
    speeds = {
        name: statistics.median(row["torch.jit"] / row[name] for row in rows) for name in found
    }
    return base, [speeds.get(name) for name in list(ways)[1:]]


def cells_of(base: float, speeds: list[float | None]) -> list[str]:
    """Return the cells of a program's row."""
    native, *others = speeds
    shown = ["" if speed is None else f"{speed:.2f}x" for speed in others]
    return [f"{base * 1e3:.2f} ms", "not C" if native is None else f"{native:.1f}x", *shown]


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
    table = Table("program", "torch.jit", "C", "generated Python", "Python", "numba", "target", "")
    results: list[dict[str, Any]] = []
    for program, argument, target in (*programs.HOT, *SMALL_TENSORS):
        base, speeds = measure(program, argument, rounds)
        native, *_, peer = speeds
        met = native is not None and native >= target
        results.append({"program": program.__name__, "speed": native, "numba": peer, "met": met})
        cells = cells_of(base, speeds)
        table.add_row(program.__name__, *cells, f"{target:g}x", "" if met else "missed")
    theirs, ours, alone, plain = call_overhead(rounds)
    met = alone <= MOST_MICROSECONDS
    results.append({"program": "call", "microseconds": alone, "with checks": ours, "met": met})
    cells = (
        f"{theirs:.2f} µs",
        f"{alone:.2f} µs (checked: {ours:.2f} µs)",
        "",
        f"{plain:.2f} µs",
        "",
    )
    table.add_row("a call", *cells, f"{MOST_MICROSECONDS} µs", "" if met else "missed")
    Console().print(table)
    if numba is None:
        Console().print("numba is not installed: pip install minits[benchmark]")
    if file:
        Path(file).write_text(json.dumps(results, indent=1) + "\n")
    return 0 if all(result.get("met", True) for result in results) else 1
