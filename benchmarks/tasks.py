"""Tasks that `torch.jit.fork` starts, against the same calls one after the other.

Two tasks of matrix products, on one thread each, take as long as one where there are two
processors; the same tasks by torch.jit run in turn with them. A fork that has nothing to do shows
what it costs to start a task and to wait for it.
"""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import torch
from rich.console import Console
from rich.table import Table
from torch import Tensor

import minits

SIZE, PRODUCTS = 500, 40
"""Of the products of one task, which take some 0.2 s."""
STARTED = 500
"""Forks of nothing in one measurement."""


def products(x: Tensor, n: int) -> Tensor:
    for _ in range(n):
        x = torch.mm(x, x) * 0.01
    return x


def in_turn(x: Tensor, n: int) -> Tensor:
    return products(x, n) + products(x, n)


def at_once(x: Tensor, n: int) -> Tensor:
    first = torch.jit.fork(products, x, n)
    second = torch.jit.fork(products, x, n)
    return torch.jit.wait(first) + torch.jit.wait(second)


def nothing(n: int) -> int:
    return n


def started(n: int) -> int:
    total = 0
    for i in range(n):
        total += torch.jit.wait(torch.jit.fork(nothing, i))
    return total


def seconds(function: Callable[..., Any], *arguments: Any) -> float:
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def run(rounds: int) -> int:
    """Print the medians of the rounds."""
    warnings.simplefilter("ignore", DeprecationWarning)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    table = Table("by", "two in turn, s", "two tasks, s", "ratio", "a fork of nothing, µs")
    x = torch.rand(SIZE, SIZE) / SIZE
    ways = {"torch.jit": torch.jit.script, "minits": minits.script}
    programs = {by: [way(f) for f in (in_turn, at_once, started)] for by, way in ways.items()}
    times: dict[str, list[tuple[float, ...]]] = {by: [] for by in programs}
    for _ in range(rounds + 1):
        for by, (one, two, empty) in programs.items():
            measured = seconds(one, x, PRODUCTS), seconds(two, x, PRODUCTS)
            times[by].append((*measured, seconds(empty, STARTED) / STARTED))
    torch.set_num_threads(threads)
    for by, found in times.items():
        _, *later = found  # the first round compiles
        one, two, empty = (statistics.median(column) for column in zip(*later, strict=True))
        ratio = statistics.median(two / one for one, two, _ in later)
        table.add_row(by, f"{one:.2f}", f"{two:.2f}", f"{ratio:.2f}", f"{empty * 1e6:.0f}")
    Console(width=100).print(table)
    return 0
