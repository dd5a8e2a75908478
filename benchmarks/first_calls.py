"""The cost of the first call of a program, its plan and its kernels, against torch.jit's.

Each program of `benchmarks/models.py` and twenty small functions are compiled anew and called: by
torch.jit; by minits with plans and kernels in the cache ("warm"), as in every process but the
first; with an empty cache ("cold"), where the first two calls run the program as it was written;
and with an empty cache and MINITS_BUILD=now, where the first one plans and waits for the compiler
("now"). What the others put off is in the second and third ones ("cold, 3rd", which plans, while a
thread builds; with MINITS_BUILD=again the second one plans and waits: "waiting, 2nd"). A round is
done in one process, program by program, so that all are compared at the same time; the results are
medians over rounds of the ratios of sums. Then instances of one class are called for the first
time; and a function is compiled and called in processes that have imported torch and nothing else.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from rich import box
from rich.console import Console
from rich.table import Table
from torch import Tensor, nn

import minits
from benchmarks import models, small_functions
from benchmarks.compile import _forget as forget_types
from benchmarks.patterns import PATTERNS
from minits.kernels.cpu import background, c_build
from minits.kernels.cpu.libraries import Libraries

PAIRS = 5
INSTANCES = 100
WAYS = ("torch.jit", "warm", "cold", "now")
LATER = ("torch.jit, 2nd", "cold, 2nd", "waiting, 2nd", "torch.jit, 3rd", "cold, 3rd")
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
Program = tuple[str, Callable[[], Any], tuple[Any, ...]]
"""A name, what makes the program anew, and the arguments of a call."""


def run(rounds: int, file: str | None) -> int:
    """Measure and print a table."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    seconds: dict[str, list[dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        _first_calls(("warm up", lambda: _warm_up, (torch.ones(4),)), folder, rounds)
        for number in range(rounds):
            for program in _programs():
                seconds.setdefault(program[0], []).append(_first_calls(program, folder, number))
        sums = [
            {way: sum(found[number][way] for found in seconds.values()) for way in (*WAYS, *LATER)}
            for number in range(rounds)
        ]
        _print(seconds, sums)
        instances = _instances(folder)
        fresh = _fresh_pairs(folder)
    console = Console()
    mine, theirs = (statistics.median(times) * 1e3 for times in zip(*fresh, strict=True))
    console.print(
        f"{INSTANCES} instances of one class, first call of each: minits {instances[0] * 1e3:.2f} "
        f"ms, torch.jit {instances[1] * 1e3:.2f} ms\n"
        f"{PATTERNS[0].name}, compiled and called in a fresh process, the kernel in the cache: "
        f"{mine:.0f} ms, torch.jit {theirs:.0f} ms",
        soft_wrap=True,
    )
    if file:
        results = {"programs": seconds, "sums": sums, "instances": instances, "fresh": fresh}
        Path(file).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


def _print(seconds: dict[str, list[dict[str, float]]], sums: list[dict[str, float]]) -> None:
    caption = "milliseconds of the first calls, and times torch.jit's"
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), caption=caption)
    table.add_column("program", no_wrap=True)
    for way in (*WAYS, *LATER):
        table.add_column(way, justify="right", no_wrap=True)
    for name, rows in [*seconds.items(), ("all", sums)]:
        cells = []
        for way in (*WAYS, *LATER):
            taken = statistics.median(row[way] for row in rows) * 1e3
            peer = next((f"{WAYS[0]}, {nth}" for nth in ("2nd", "3rd") if nth in way), WAYS[0])
            ratio = statistics.median(row[way] / row[peer] for row in rows)
            cells.append(f"{taken:.1f}" + (f"  {ratio:.2f}" if way != peer else ""))
        table.add_row(name, *cells)
    Console(width=200).print(table)


def _programs() -> Iterator[Program]:
    """The models and the small functions, which nobody has compiled yet."""
    new = importlib.reload(models)
    rows = torch.randn(64, 16)
    yield "10 lines", lambda: new.ten_lines, (rows, rows, 8)
    yield "100 lines", lambda: new.hundred_lines, (torch.randn(8, 8), None, [3, 7], 12)
    yield "ResNet-50", new.ResNet50().eval, (torch.randn(1, 3, 64, 64),)
    yield "BERT, 12 layers", new.Bert().eval, (torch.randint(0, 1000, (2, 16)),)
    functions = importlib.reload(small_functions)
    for name in functions.NAMES:
        function = getattr(functions, name)
        tensors = sum(
            parameter.annotation == "Tensor"
            for parameter in inspect.signature(function).parameters.values()
        )
        numbers = functions.NUMBERS.get(name, ())
        yield name, lambda function=function: function, (*[rows] * tensors, *numbers)


def _first_calls(program: Program, folder: str, number: int) -> dict[str, float]:
    """Return the seconds of the first call in each way."""
    _, made, arguments = program
    found = {}
    with torch.no_grad():
        forget_types(torch)
        compiled = torch.jit.script(made())
        found["torch.jit"] = _seconds(compiled, arguments)
        found["torch.jit, 2nd"] = _seconds(compiled, arguments)
        found["torch.jit, 3rd"] = _seconds(compiled, arguments)
        with _cache(f"{folder}/{number}/now", "now"):
            found["now"] = _seconds(_compiled(made), arguments)
        with _cache(f"{folder}/{number}/now"):
            found["warm"] = _seconds(_compiled(made), arguments)
        with _cache(f"{folder}/{number}/cold"):
            compiled = _compiled(made)
            found["cold"] = _seconds(compiled, arguments)
            found["cold, 2nd"] = _seconds(compiled, arguments)
            found["cold, 3rd"] = _seconds(compiled, arguments)
            _wait()
        with _cache(f"{folder}/{number}/waiting", "again"):
            compiled = _compiled(made)
            compiled(*arguments)
            found["waiting, 2nd"] = _seconds(compiled, arguments)
    return found


def _compiled(made: Callable[[], Any]) -> Any:
    forget_types(torch)
    return minits.script(made())


@contextmanager
def _cache(folder: str, mode: str = "background") -> Iterator[None]:
    """Keep kernels in a folder, and load from there what is loaded already."""
    gc.collect()
    c_build._LIBRARIES = Libraries()
    os.environ["MINITS_CACHE"], os.environ["MINITS_BUILD"] = folder, mode
    yield


def _wait() -> None:
    """Let the thread that builds come to its end, so that it disturbs nobody else's call."""
    while background.BACKGROUND.is_busy:
        time.sleep(0.01)


def _warm_up(x: Tensor) -> Tensor:
    """The modules of both compilers are imported for their first program."""
    return torch.tanh(x) * 2 + 1


class Instance(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear, self.norm = nn.Linear(16, 16), nn.LayerNorm(16)

    def forward(self, x: Tensor) -> Tensor:
        return torch.tanh(self.norm(self.linear(x))) * 2 + x


def _instances(folder: str) -> tuple[float, float]:
    """Return the seconds of a first call, over instances of one class: ours and torch.jit's."""
    x, found = torch.randn(4, 16), []
    with _cache(f"{folder}/instances", "now"):
        for script in (minits.script, torch.jit.script):
            compiled = [script(Instance().eval()) for _ in range(INSTANCES)]
            started = time.perf_counter()
            for each in compiled:
                each(x)
            found.append((time.perf_counter() - started) / INSTANCES)
    return found[0], found[1]


def _fresh_pairs(folder: str) -> list[tuple[float, float]]:
    with _cache(f"{folder}/fresh", "now"):
        _fresh("minits")
    with _cache(f"{folder}/fresh"):
        return [(_fresh("minits"), _fresh("torch.jit")) for _ in range(PAIRS)]


def _fresh(module: str) -> float:
    """Seconds in a process whose modules are compiled already, as those of an installed package."""
    command = [sys.executable, "-c", FRESH.format(module=module)]
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=variables)
    return float(done.stdout)


def _seconds(program: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    started = time.perf_counter()
    program(*arguments)
    return time.perf_counter() - started
