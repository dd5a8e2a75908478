"""What the first call of a program costs: its plan, its kernel, the system's compiler.

Each program is called on 1,024 elements with an empty cache of kernels, then again as a program of
its own with the kernel in the cache, and last of all as any later call.
"""

from __future__ import annotations

import os
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
    Console().print(table)
    return 0


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
