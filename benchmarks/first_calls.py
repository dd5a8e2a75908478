"""What the first call of a program costs: its plan, its kernel, the system's compiler.

Each program is called on 1,024 elements with an empty cache of kernels, then again as a program of
its own with the kernel in the cache, and last of all as any later call. At the end the first
program is compiled and called in processes that have imported torch and nothing else, in pairs
with torch.jit.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch
from rich import box
from rich.console import Console
from rich.table import Table

import minits
from benchmarks.patterns import PATTERNS, load_examples

PAIRS = 7
FRESH = """
import time, torch
from benchmarks.patterns import PATTERNS, load_examples
import minits
torch.set_num_threads(1)
pattern = PATTERNS[0]
program, arguments = getattr(load_examples(), pattern.function), pattern.arguments(1024, {{}})
started = time.perf_counter()
{module}.script(program)(*arguments)
print(time.perf_counter() - started)
"""
COLUMNS = ("empty cache, ms", "cached, ms", "later calls, µs")


def run() -> int:
    """Measure and print a table."""
    torch.set_num_threads(1)
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0))
    table.add_column("pattern", no_wrap=True)
    for column in COLUMNS:
        table.add_column(column, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MINITS_CACHE"] = folder
        minits.script(_warm_up)(torch.ones(2))  # the parser's tables, the module of kernels
        for name, program, arguments in _programs():
            first, cached = minits.script(program), minits.script(program)
            built, found = _seconds(first, arguments), _seconds(cached, arguments)
            later = min(_seconds(cached, arguments) for _ in range(200))
            cells = [f"{built * 1e3:.0f}", f"{found * 1e3:.1f}", f"{later * 1e6:.1f}"]
            table.add_row(name, *cells)
        _fresh("minits")
        fresh = [(_fresh("minits"), _fresh("torch.jit")) for _ in range(PAIRS)]
    console = Console()
    console.print(table)
    mine, theirs = (statistics.median(times) * 1e3 for times in zip(*fresh, strict=True))
    ratio = statistics.median(ours / other for ours, other in fresh)
    console.print(
        f"{PATTERNS[0].name}, compiled and called in a fresh process, the kernel in the cache: "
        f"{mine:.0f} ms, torch.jit {theirs:.0f} ms, ratio {ratio:.2f}",
        soft_wrap=True,
    )
    return 0


def _fresh(module: str) -> float:
    """Seconds in a process whose modules are compiled already, as those of an installed package."""
    command = [sys.executable, "-c", FRESH.format(module=module)]
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=variables)
    return float(done.stdout)


def _programs() -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """The patterns, and a module of two kernels."""
    examples = load_examples()
    for pattern in PATTERNS:
        if not pattern.backward:
            yield pattern.name, getattr(examples, pattern.function), pattern.arguments(1024, {})
    yield "pre-norm block", examples.block, (torch.randn(2, 16, 32),)


def _warm_up(x: torch.Tensor) -> torch.Tensor:
    return x * 2 + 1


def _seconds(program: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    started = time.perf_counter()
    program(*arguments)
    return time.perf_counter() - started
