"""Speed of programs as C, beside torch.jit's interpreter, generated Python, Python and numba.

    python -m benchmarks native [--rounds N]

All are called in turns in one process, each as often as takes five milliseconds; the ratios are
medians of the rounds' ratios. Targets: loops of numbers and of elements of tensors at least 30
times torch.jit's speed, those of lists 10 times, those of dicts and strings twice, cells of
recurrent networks 2.5 times, other loops of small tensors 1.2 times. numba is an extra,
`benchmark`; without it, or where it does not have a program or has another result, its column is
empty, and so is Python's where its integers are longer than 64 bits. What calls and builds cost is
measured, too (`native_costs.py`).
"""

from __future__ import annotations

import importlib.util
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

from benchmarks import native_programs as programs
from benchmarks.native_costs import Cost, build_seconds, compiled, costs, runs_as_c
from benchmarks.native_tensor_programs import SMALL_TENSORS

numba: Any = importlib.import_module("numba") if importlib.util.find_spec("numba") else None
LEAST_SECONDS = 0.005
"""The time for which a program is called again, so that short calls are not those after a long one
of another compiler alone: with cold caches, and pages to be mapped anew."""


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


def seconds(way: Callable[..., Any], argument: int) -> float:
    """Return the mean seconds of calls that follow each other."""
    calls, start = 0, time.perf_counter()
    while True:
        way(argument)
        calls += 1
        spent = time.perf_counter() - start
        if spent >= LEAST_SECONDS:
            return spent / calls


def measure(
    program: Callable[..., Any], argument: int, rounds: int
) -> tuple[float, list[float | None]]:
    """Return torch.jit's seconds, and beside it the speeds of C, generated Python, Python, numba.

    None is the speed of what cannot run a program.
    """
    from minits.compilation_state import STATE

    theirs = torch.jit.script(program)
    for _ in range(3):
        expected = theirs(argument)
    native = compiled(program, "now", argument)
    STATE.clear()
    ways = {
        "torch.jit": theirs,
        "C": native if runs_as_c(native) else None,
        "generated Python": compiled(program, "off", argument),
        "Python": program if program(argument) == expected else None,
        "numba": by_numba(program, argument, expected),
    }
    found = {name: way for name, way in ways.items() if way is not None}
    rows = [{name: seconds(way, argument) for name, way in found.items()} for _ in range(rounds)]
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


def measure_part(part: str) -> float:
    """Return the seconds of a build in this process, which is started for that."""
    assert part == "build"
    return build_seconds()


def _told(cost: Cost) -> dict[str, Any]:
    """Print a cost, and return it as a result."""
    met = cost.value <= cost.target
    missed = "" if met else ", missed"
    remark = f" ({cost.remark})" if cost.remark else ""
    print(f"{cost.name}: {cost.value:.3g} {cost.unit}{remark}; at most {cost.target:g}{missed}")
    return {"cost": cost.name, "value": cost.value, "unit": cost.unit, "met": met}


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
    Console().print(table)
    results += [_told(cost) for cost in costs(rounds)]
    if numba is None:
        Console().print("numba is not installed: pip install minits[benchmark]")
    if file:
        Path(file).write_text(json.dumps(results, indent=1) + "\n")
    return 0 if all(result.get("met", True) for result in results) else 1
