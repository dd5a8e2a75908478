"""How long does `script` take, compared with `torch.jit.script`?

Both compile the same programs in one process, in turn; each round is a pair, and the result is the
median of the ratios of the pairs. "Cold" is the first compilation in a fresh process, "warm" are
the later ones: torch's functions that the program calls are compiled by then, the program is new.

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


def measure(name: str, rounds: int) -> dict[str, Any]:
    """Measure one program in this process; the first round is the cold one."""
    warnings.simplefilter("ignore")
    import torch

    import minits

    pairs = []
    torch.jit.script(_warm_up)
    for _ in range(rounds + 1):
        ours = _seconds(minits.script, _fresh(name))
        target = _fresh(name)
        _forget(torch)
        theirs = _seconds(torch.jit.script, target)
        pairs.append((ours, theirs))
    cold, *warm = pairs
    return {
        "program": name,
        "cold": [cold[0], cold[1]],
        "warm": [statistics.median(p[0] for p in warm), statistics.median(p[1] for p in warm)],
        "cold_ratio": cold[0] / cold[1],
        "warm_ratio": statistics.median(ours / theirs for ours, theirs in warm),
    }


def _fresh(name: str) -> Any:
    """Return a program that nobody has compiled yet."""
    from torch import nn

    from benchmarks import models

    return eval(PROGRAMS[name], {"models": importlib.reload(models), "nn": nn})


def _warm_up(x: int) -> int:
    """torch.jit imports parts of itself for its first function."""
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
    from minits.frontend import module_types

    module_types.forget()


def count_bytecodes() -> int:
    """Print how many bytecodes of Python a warm compilation of each program executes."""
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


def _measured_alone(name: str, rounds: int) -> Any:
    """Measure in a process whose modules are compiled already, as those of installed packages."""
    command = [sys.executable, "-m", "benchmarks", "compile", "--one", name]
    command += ["--rounds", str(rounds)]
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=variables)
    return json.loads(done.stdout.splitlines()[-1])


def run(rounds: int, output: str | None) -> int:
    """Measure every program in a process of its own and print a table."""
    _measured_alone("10 lines", 1)  # writes the compiled modules and the parser's tables
    results = [_measured_alone(name, rounds) for name in PROGRAMS]
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), caption="milliseconds: minits / torch.jit")
    table.add_column("program", no_wrap=True)
    for column in ("cold", "ratio", "warm", "ratio", "at most"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in results:
        cold, warm = (" / ".join(f"{s * 1e3:.1f}" for s in row[key]) for key in ("cold", "warm"))
        target = TARGETS.get(row["program"])
        table.add_row(
            row["program"], cold, f"{row['cold_ratio']:.2f}", warm, f"{row['warm_ratio']:.2f}",
            f"{target}" if target else "",
        )  # fmt: skip
    Console().print(table)
    if output:
        Path(output).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0
