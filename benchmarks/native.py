"""Speed of programs as C, beside torch.jit's interpreter, Python, torch.compile and numba.

    python -m benchmarks native [--rounds N]

All are called in turns in one process, each as often as takes five milliseconds; the ratios are
medians of the rounds' ratios. Targets: loops of numbers and of elements of tensors at least 30
times torch.jit's speed, those of lists 10 times, those of dicts and strings twice, cells of
recurrent networks 2.5 times, other loops of small tensors 1.2 times. numba is an extra,
`benchmark`; without it, or where it does not have a program or has another result, its column is
empty, and so is Python's where its integers are longer than 64 bits. torch.compile is tried for
loops of small tensors, which it unrolls; of the others it makes no graph, and leaves them to
Python. What calls and builds cost is measured, too (`native_costs.py`).
"""

from __future__ import annotations

import importlib.util
import json
import logging
import math
import statistics
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table

from benchmarks import native_programs as programs
from benchmarks.native_costs import Cost, build_seconds, compiled, costs, runs_as_c
from benchmarks.native_tensor_programs import SMALL_TENSORS

numba: Any = importlib.import_module("numba") if importlib.util.find_spec("numba") else None
PEERS = ("C", "generated Python", "Python", "torch.compile", "numba")
"""The ways that are compared with torch.jit."""
_UNROLLED = frozenset(program for program, *_ in SMALL_TENSORS)
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


def by_torch_compile(program: Callable[..., Any], argument: int) -> Callable[..., Any] | None:
    """Return a program compiled by torch.compile, if it makes graphs of it, and print its time."""
    from torch._dynamo.utils import counters  # seconds, which no other program is to wait for

    torch._dynamo.reset()
    counters.clear()
    start = time.perf_counter()
    made: Callable[..., Any] = torch.compile(program, dynamic=False)
    made(argument)
    spent = time.perf_counter() - start
    print(f"{program.__name__}: torch.compile took {spent:.0f} s, less where its cache has graphs")
    for _ in range(2):
        made(argument)
    return made if counters["stats"]["unique_graphs"] else None


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
) -> tuple[float, dict[str, float | None]]:
    """Return torch.jit's seconds, and the speeds of the other ways beside it, by their names.

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
        "Python": program if math.isclose(program(argument), expected, rel_tol=1e-4) else None,
        "torch.compile": by_torch_compile(program, argument) if program in _UNROLLED else None,
        "numba": by_numba(program, argument, expected),
    }
    found = {name: way for name, way in ways.items() if way is not None}
    rows = [{name: seconds(way, argument) for name, way in found.items()} for _ in range(rounds)]
    base = statistics.median(row["torch.jit"] for row in rows)
    speeds = {
        name: statistics.median(row["torch.jit"] / row[name] for row in rows) for name in found
    }
    return base, {name: speeds.get(name) for name in PEERS}


def cells_of(base: float, speeds: Mapping[str, float | None]) -> list[str]:
    """Return the cells of a program's row."""
    shown = ["" if speed is None else f"{speed:.3g}" for speed in speeds.values()]
    return [f"{base * 1e3:.2f}", *shown]


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
    logging.getLogger("torch._dynamo").setLevel(logging.ERROR)  # that `float(x)` ends a graph
    torch.set_num_threads(1)
    table = Table("program", "torch.jit, ms", *PEERS, "target", "")
    results: list[dict[str, Any]] = []
    for program, argument, target in (*programs.HOT, *SMALL_TENSORS):
        base, speeds = measure(program, argument, rounds)
        native = speeds["C"]
        met = native is not None and native >= target
        results.append({"program": program.__name__, "speeds": speeds, "met": met})
        cells = cells_of(base, speeds)
        table.add_row(program.__name__, *cells, f"{target:g}", "" if met else "missed")
    console = Console(width=120)
    console.print(table)
    results += [_told(cost) for cost in costs(rounds)]
    if numba is None:
        console.print("numba is not installed: pip install minits[benchmark]")
    if file:
        Path(file).write_text(json.dumps(results, indent=1) + "\n")
    return 0 if all(result.get("met", True) for result in results) else 1
