"""Time of calls of small modules, beside torch.jit: graph networks and blocks.

    python -m benchmarks modules [--rounds N] [--native now]

A call takes some ten operators on tensors of some hundred numbers: what counts is what lies between
the operators. Where there are several calls, they take turns. No gradients are recorded; the
modules are in `eval` mode. Targets: 1.1 times torch.jit's time, in the median over the modules, and
1.5 for each.
"""

from __future__ import annotations

import json
import os
import statistics
import time
import warnings
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table

import minits
from benchmarks.small_modules import MODULES

MEDIAN, MOST = 1.1, 1.5
_SAMPLE = 50
"""Calls that are timed at a time."""


def _seconds(function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> float:
    given = list(islice(cycle(calls), _SAMPLE))
    started = time.perf_counter()
    for arguments in given:
        function(*arguments)
    return (time.perf_counter() - started) / _SAMPLE


def run(rounds: int, native: str, only: str | None, file: str | None) -> int:
    """Print the table. Return 0 if the targets are met.

    native: the value of MINITS_NATIVE
    """
    warnings.simplefilter("ignore")
    os.environ["MINITS_NATIVE"] = native
    torch.set_num_threads(1)
    columns = ("module", "torch.jit, µs", "minits, µs", "eager, µs", "minits/torch.jit", "as C")
    table = Table(*columns)
    found: list[dict[str, Any]] = []
    for make, arguments in MODULES:
        if only in (None, make.__name__):
            found.append(_measured(make, arguments(), rounds))
            table.add_row(*_cells(found[-1]))
    ratios = [each["ratio"] for each in found]
    console = Console()
    console.print(table)
    console.print(f"median {statistics.median(ratios):.2f}, greatest {max(ratios):.2f}")
    if file:
        Path(file).write_text(json.dumps(found, indent=1) + "\n")
    return 0 if statistics.median(ratios) <= MEDIAN and max(ratios) <= MOST else 1


def _measured(make: Callable[[], Any], calls: list[tuple[Any, ...]], rounds: int) -> dict[str, Any]:
    torch.manual_seed(0)
    module = make().eval()
    compiled = minits.script(module)
    ways = (torch.jit.script(module), compiled, module)
    with torch.no_grad():
        for arguments in [*calls, *[calls[-1]] * 10]:
            results = [way(*arguments) for way in ways]
            for each in results[1:]:
                torch.testing.assert_close(each, results[0])
        times = [[_seconds(way, calls) for way in ways] for _ in range(rounds)]
        plan = compiled.forward.plan_for(*calls[0])
    return {
        "module": make.__name__,
        **{
            name: statistics.median(each[index] for each in times) * 1e6
            for index, name in enumerate(("torch.jit", "minits", "eager"))
        },
        "ratio": statistics.median(mine / theirs for theirs, mine, _ in times),
        "native": plan.native is not None,
    }


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    times = [f"{row[name]:.1f}" for name in ("torch.jit", "minits", "eager")]
    return row["module"], *times, f"{row['ratio']:.2f}", "yes" if row["native"] else ""
