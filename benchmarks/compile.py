"""Time of `script`, compared with `torch.jit.script`.

Both compile the same programs in one process, in turn; each round is a pair, and the result is the
median of the ratios of the pairs. Both are measured in the same states:

    first    a fresh process that has imported torch and nothing else: the compilers import what
             they have not imported yet (torch.jit's is a part of `import torch`, minits' is not)
    cold     a process in which both have compiled a function of one line before
    warm     later compilations: torch's functions that the program calls are compiled by then, the
             program is new

A change of a few hundredths drowns in the noise of a shared machine: `count_bytecodes` counts the
instructions of Python's virtual machine instead, which are the same in every run.
"""

from __future__ import annotations

import importlib
import json
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

PROGRAMS: dict[str, str] = {
    "10 lines": "models.ten_lines",
    "100 lines": "models.hundred_lines",
    "MultiheadAttention": "nn.MultiheadAttention(64, 4)",
    "TransformerEncoderLayer": "nn.TransformerEncoderLayer(64, 4)",
    "ResNet-50": "models.ResNet50()",
    "BERT, 12 layers": "models.Bert()",
}
TARGETS = {"100 lines": 1.5, "ResNet-50": 1.5, "BERT, 12 layers": 1.5}
"""At most this many times torch.jit's time, warm."""
PROCESSES = 3
Pair = tuple[float, float]
"""Seconds of minits and of torch.jit."""


def measure_first(name: str) -> Pair:
    """Compile one program in this process, in which nothing was compiled before."""
    warnings.simplefilter("ignore")
    import torch

    mine, theirs = _fresh(name), _fresh(name)
    return _seconds(_import_and_script, mine), _seconds(torch.jit.script, theirs)


def measure(name: str, rounds: int) -> list[Pair]:
    """Compile one program time and again in this process; the first pair is the cold one."""
    warnings.simplefilter("ignore")
    import torch

    import minits

    minits.script(_warm_up)
    torch.jit.script(_warm_up)
    pairs = []
    for _ in range(rounds + 1):
        ours = _seconds(minits.script, _fresh(name))
        target = _fresh(name)
        _forget(torch)
        pairs.append((ours, _seconds(torch.jit.script, target)))
    return pairs


def _import_and_script(target: Any) -> Any:
    import minits

    return minits.script(target)


def _fresh(name: str) -> Any:
    """Return a program that nobody has compiled yet."""
    from torch import nn

    from benchmarks import models

    return eval(PROGRAMS[name], {"models": importlib.reload(models), "nn": nn})


def _warm_up(x: int) -> int:
    """Both compilers import parts of themselves for their first function."""
    return x + 1


def _seconds(function: Callable[[Any], Any], target: Any) -> float:
    started = time.perf_counter()
    function(target)
    return time.perf_counter() - started


def _forget(torch: Any) -> None:
    """Make both compile modules anew: torch.jit keeps the types of nn's own classes, so do we."""
    store = torch.jit._recursive.concrete_type_store
    store.type_store.clear()
    store.methods_compiled.clear()
    from minits.compilation_state import STATE

    STATE.modules.clear()


def count_bytecodes() -> int:
    """Print the number of Python bytecodes that a warm compilation of each program executes."""
    import torch

    warnings.simplefilter("ignore")
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0))
    table.add_column("program", no_wrap=True)
    table.add_column("bytecodes", justify="right", no_wrap=True)
    for name in PROGRAMS:
        _bytecodes(torch, name)  # the cold one
        table.add_row(name, f"{_bytecodes(torch, name):,}")
    Console().print(table)
    return 0


def _bytecodes(torch: Any, name: str) -> int:
    import minits

    executed = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal executed
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        executed += event == "opcode"
        return trace

    target = _fresh(name)
    _forget(torch)
    sys.settrace(trace)
    try:
        minits.script(target)
    finally:
        sys.settrace(None)
    return executed


def measure_part(part: str) -> Any:
    """Measure "NAME,ROUNDS" in this process; no rounds stand for the first compilation alone."""
    name, _, rounds = part.rpartition(",")
    return measure(name, int(rounds)) if int(rounds) else measure_first(name)


def _in_process(name: str, rounds: int = 0) -> Any:
    """Measure in a process whose modules are compiled already, as those of installed packages."""
    command = [sys.executable, "-m", "benchmarks", "compile", "--part", f"{name},{rounds}"]
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=variables)
    return json.loads(done.stdout.splitlines()[-1])


def _measure_all(name: str, rounds: int) -> dict[str, list[Pair]]:
    """Return the pairs of a program by the state in which it was compiled."""
    first = [_in_process(name) for _ in range(PROCESSES)]
    later = [_in_process(name, rounds) for _ in range(PROCESSES)]
    warm = [pair for pairs in later for pair in pairs[1:]]
    return {"first": first, "cold": [pairs[0] for pairs in later], "warm": warm}


def run(rounds: int, file: str | None, bytecodes: bool) -> int:
    """Measure every program in processes of its own and print a table."""
    if bytecodes:
        return count_bytecodes()
    _in_process("10 lines")  # writes the compiled modules and the parser's tables
    results = {name: _measure_all(name, rounds) for name in PROGRAMS}
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), caption="milliseconds: minits / torch.jit")
    table.add_column("program", no_wrap=True)
    for column in ("first", "ratio", "cold", "ratio", "warm", "ratio", "at most"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, states in results.items():
        cells = [cell for pairs in states.values() for cell in _cells(pairs)]
        table.add_row(name, *cells, str(TARGETS.get(name, "")))
    Console(width=100).print(table)
    if file:
        Path(file).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


def _cells(pairs: list[Pair]) -> tuple[str, str]:
    """Return the medians of the milliseconds, and that of the ratios."""
    ours, theirs = (statistics.median(side) * 1e3 for side in zip(*pairs, strict=True))
    ratio = statistics.median(mine / peer for mine, peer in pairs)
    return f"{ours:.1f} / {theirs:.1f}", f"{ratio:.2f}"
