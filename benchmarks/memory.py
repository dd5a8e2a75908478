"""Peak memory of calls, against eager's and torch.jit's: a process for each row and way.

Two processes run at a time. Each makes the module of a row, calls it three times and measures the
next call: the largest resident memory during it less that before it, as the kernel counts them
(`VmHWM`, which writing 5 to `/proc/self/clear_refs` sets back). The allocator gives each block of
64 KiB or more back as soon as it is free. A step of training is a call and the gradients of its
sum; the parameters' gradients are there already. "held" is the most that any way of compiling keeps
after the call, with its result given back.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.memory_programs import INFERENCE, TRAINING, Program

KINDS = {"inference": INFERENCE, "training": TRAINING}
WAYS = ("eager", "torch.jit", "scripted", "traced", "frozen", "as C")
OF_TRAINING = WAYS[:4]
PROCESSES = 2
"""Processes that run at a time, with one thread each."""
CALLS = 3
"""Calls before the one that is measured: they plan and build."""
MIB = 2**20


def run(rounds: int, file: str | None, only: str | None) -> int:
    """Measure and print a table."""
    found: dict[str, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind, programs in KINDS.items():
            for program in programs:
                name = f"{kind}, {program.name}"
                if only is None or only in name:
                    found[name] = _row(kind, program, rounds, folder)
                if file:
                    Path(file).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    _print(found)
    return 0


def _row(kind: str, program: Program, rounds: int, folder: str) -> dict[str, list[float]]:
    """Return the least peak and what is held after the call, in MiB, by the way of running."""

    def least(way: str) -> list[float]:
        rows = [_measured(f"{kind}/{program.name}/{way}", folder) for _ in range(rounds)]
        return [min(each[0] for each in rows), min(each[1] for each in rows)]

    ways = WAYS if kind == "inference" else OF_TRAINING
    with ThreadPoolExecutor(PROCESSES) as pool:
        return dict(zip(ways, pool.map(least, ways), strict=True))


def _measured(part: str, folder: str) -> list[float]:
    command = [sys.executable, "-m", "benchmarks", "memory", "--part", part]
    native = "now" if part.endswith("/as C") else "hot"
    settings = {"MINITS_CACHE": folder, "MINITS_NATIVE": native, "MALLOC_MMAP_THRESHOLD_": "65536"}
    environment = {**os.environ, **settings}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise RuntimeError(f"{part}: {done.stderr}")
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _print(found: dict[str, dict[str, list[float]]]) -> None:
    caption = "MiB over the process before the call, and times eager's"
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), caption=caption)
    table.add_column("program", no_wrap=True)
    for way in (*WAYS, "held"):
        table.add_column(way, justify="right", no_wrap=True)
    for name, row in found.items():
        cells = [_cell(row[way][0], row["eager"][0]) if way in row else "" for way in WAYS]
        held = max(row[way][1] for way in WAYS[2:] if way in row)
        table.add_row(name, cells[0].split()[0], *cells[1:], f"{held:.1f}")
    Console(width=132).print(table)


def _cell(peak: float, eager: float) -> str:
    return f"{peak:.0f} {peak / eager:5.2f}"


# ---- In a process of its own -----------------------------------------------------------------


def measure_part(part: str) -> list[float]:
    """Return the peak of "KIND/PROGRAM/WAY" and what is held after the call, in MiB."""
    import torch

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    kind, name, way = part.split("/")
    program = next(each for each in KINDS[kind] if each.name == name)
    module = program.make().train(kind == "training")
    x = torch.randn(program.shape)
    call = compiled(module, x, way)
    step = _inference(call, x) if kind == "inference" else _training(call, x)
    for _ in range(CALLS):
        step()
    return _peak(step)


def compiled(module: Any, x: Any, way: str) -> Any:
    """Return the module as this way of running has it."""
    import torch

    import minits

    match way:
        case "torch.jit":
            return torch.jit.script(module)
        case "scripted" | "as C":
            return minits.script(module)
        case "traced":
            with torch.no_grad():
                return minits.trace(module, (x,), check_trace=False)
        case "frozen":
            return minits.freeze(minits.script(module))
    return module


def _inference(call: Callable[..., Any], x: Any) -> Callable[[], None]:
    import torch

    def step() -> None:
        with torch.no_grad():
            call(x)

    return step


def _training(call: Callable[..., Any], x: Any) -> Callable[[], None]:
    def step() -> None:
        call(x).sum().backward()

    return step


def _peak(step: Callable[[], None]) -> list[float]:
    before = _settled()
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    step()
    peak = _status("VmHWM")
    return [(peak - before) / MIB, (_settled() - before) / MIB]


def _settled() -> float:
    """Return the resident memory after what is free has been given back to the system."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return _status("VmRSS")


def _status(name: str) -> float:
    """Return a figure of this process in bytes."""
    text = Path("/proc/self/status").read_text(encoding="utf-8")
    found = re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024.0
