"""Growth with a program's length: `script`, the first call and planning, against torch.jit.

Programs of 100 to 6,400 statements of 64 kinds are generated, compiled, called and planned, with
each of the two in a process of its own. A first call runs the program as it is written; planning is
what the second one does: minits forms groups and lowers kernels, torch.jit specialises its graph.
The C compiler is not part of it: `CC` names one that fails at once. The exponent k is fitted to the
times as n^k, with the least squares of their logarithms.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.growth_control import CONTROL
from benchmarks.growth_programs import HEADER
from benchmarks.growth_values import VALUES

SIZES = (100, 400, 1600, 6400)
PARTS = ("script", "first call", "planning")
SLOWEST = 60.0
"""Seconds; where a size takes longer, the larger ones are left out."""
KINDS: dict[str, Callable[[int], str]] = {
    function.__name__: function for function in (*CONTROL, *VALUES)
}
"""What writes a program of about so many statements, by its name."""

# ---- Measuring -------------------------------------------------------------------------------


def measure(kind: str, count: int, peer: str) -> list[float]:
    """Return the processor's seconds of each of `PARTS`, in this process."""
    os.environ["CC"] = "false"
    warnings.simplefilter("ignore")
    import torch

    import minits

    torch.set_num_threads(1)
    script: Any = {"minits": minits.script, "torch.jit": torch.jit.script}[peer]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MINITS_CACHE"] = folder
        small = script(loaded(folder, "small", KINDS[kind](8)))
        (_planned if peer == "minits" else _called)(small)
        text = KINDS[kind](count)
        program = loaded(folder, "generated", text)
        started = time.process_time()
        compiled = script(program)
        scripted = time.process_time() - started
        if peer == "torch.jit":
            return [scripted, _called(compiled), _called(compiled)]
        planning = _planned(compiled)  # before any call, which finds that nothing can be built
        _called(small)
        return [scripted, _called(script(loaded(folder, "again", text))), planning]


def _called(compiled: Any) -> float:
    """Return the processor's seconds of a call."""
    import torch

    started = time.process_time()
    compiled(torch.ones(4), 2)
    return time.process_time() - started


def _planned(compiled: Any) -> float:
    """Return the processor's seconds of planning a call."""
    return _called(getattr(compiled, "forward", compiled).plan_for)


def loaded(folder: str, name: str, text: str) -> Any:
    """Return the program of a text, as a module that is imported from a file."""
    path = Path(folder, f"{name}.py")
    path.write_text(HEADER + text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.program


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """Return k of the power n^k that fits times best, by least squares of the logarithms."""
    xs, ys = [math.log(size) for size in sizes], [math.log(each) for each in seconds]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum(
        (a - x) ** 2 for a in xs
    )


def measure_part(part: str) -> list[float]:
    """Measure "KIND,SIZE,PEER" in this process."""
    kind, size, peer = part.split(",")
    return measure(kind, int(size), peer)


def run(kinds: Sequence[str], sizes: Sequence[int | str]) -> int:
    """Measure the kinds of programs (all of them if none is named) and print a table."""
    _table(kinds or tuple(KINDS), [int(size) for size in sizes or SIZES])
    return 0


def _table(kinds: Sequence[str], sizes: Sequence[int]) -> None:
    table = Table(
        box=box.SIMPLE, padding=(0, 1, 0, 0), caption="processor seconds: minits / torch.jit"
    )
    table.add_column("program", no_wrap=True)
    for column in (*(f"{size:,}" for size in sizes), "exponent"):
        table.add_column(column, justify="right", no_wrap=True)
    for kind in kinds:
        mine, theirs = (_sweep(kind, sizes, peer) for peer in ("minits", "torch.jit"))
        for part, name in enumerate(PARTS):
            pairs = [[times[part] for times in peer] for peer in (mine, theirs)]
            table.add_row(f"{kind}, {name}", *_cells(pairs, sizes))
    Console(width=110).print(table)


def _cells(pairs: Sequence[Sequence[float]], sizes: Sequence[int]) -> list[str]:
    cells = []
    for index in range(len(sizes)):
        known = [f"{times[index]:.3f}" if index < len(times) else "-" for times in pairs]
        cells.append(" / ".join(known))
    powers = [f"{exponent(sizes[: len(times)], times):.2f}" for times in pairs if len(times) > 1]
    return [*cells, " / ".join(powers)]


def _sweep(kind: str, sizes: Sequence[int], peer: str) -> list[list[float]]:
    """Return the times for each size, as far as these stay bearable."""
    found: list[list[float]] = []
    for size in sizes:
        command = [sys.executable, "-m", "benchmarks", "growth", "--part", f"{kind},{size},{peer}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{kind}, {size}, {peer}: {done.stderr.splitlines()[-1:]}", file=sys.stderr)
            break
        found.append(json.loads(done.stdout.splitlines()[-1]))
        if sum(found[-1]) > SLOWEST:
            break
    return found
