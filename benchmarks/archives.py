"""Archives loaded and saved by minits and by torch.jit: time, and peak of memory.

    weights    linear layers of 64 MiB each: what it costs to get bytes in and out
    modules    many small blocks (linear, batch norm, ReLU): what it costs to read code and objects

Each measurement is a process of its own, which has loaded and saved a small archive before; the two
libraries take turns. The peak is that of the process' resident memory above what it was before, and
has what is mapped from the file in it.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table
from torch import Tensor, nn

PEERS = ("torch.jit", "minits")
LAYER = 4096
"""Rows and columns of a layer's weight, which has 64 MiB."""


class Weights(nn.Module):
    """Layers of 64 MiB each."""

    def __init__(self, layers: int, size: int = LAYER) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(size, size) for _ in range(layers)])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


class Block(nn.Module):
    """Four modules with this one."""

    def __init__(self) -> None:
        super().__init__()
        self.linear, self.norm, self.relu = nn.Linear(16, 16), nn.BatchNorm1d(16), nn.ReLU()

    def forward(self, x: Tensor) -> Tensor:
        return self.relu(self.norm(self.linear(x)))


def blocks(modules: int) -> nn.Module:
    """Return a net of so many modules."""
    return nn.Sequential(*[Block() for _ in range(modules // 4)])


def run(mib: int, modules: int, rounds: int) -> int:
    """Measure everything and print a table of the medians."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in (
        "",
        "torch.jit, s",
        "minits, s",
        "ratio",
        "torch.jit, MiB",
        "minits, MiB",
        "ratio",
    ):
        table.add_column(column, justify="right" if column else "left")
    with tempfile.TemporaryDirectory() as folder:
        nets = {
            f"{mib} MiB of weights": Weights(-(-mib // 64)),
            f"{modules} modules": blocks(modules),
        }
        for name, net in nets.items():
            path = str(Path(folder, "net.pt"))
            warnings.simplefilter("ignore", DeprecationWarning)
            torch.jit.save(torch.jit.script(net.eval()), path)
            del net
            for operation in ("load", "save"):
                found = _measured(operation, path, rounds)
                table.add_row(f"{operation}, {name}", *_cells(found))
    Console(width=110).print(table)
    return 0


def measure_part(part: str) -> list[float]:
    """Measure "OPERATION,PEER,PATH" in this process."""
    operation, peer, path = part.split(",")
    return measure(operation, peer, path)


def _measured(operation: str, path: str, rounds: int) -> list[list[float]]:
    """Return [seconds, MiB] of each peer: medians of processes that take turns."""
    found: dict[str, list[list[float]]] = {peer: [] for peer in PEERS}
    for _ in range(rounds):
        for peer in PEERS:
            part = f"{operation},{peer},{path}"
            command = [sys.executable, "-m", "benchmarks", "archives", "--part", part]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            found[peer].append(json.loads(done.stdout.splitlines()[-1]))
    return [[statistics.median(column) for column in zip(*found[p], strict=True)] for p in PEERS]


def _cells(found: list[list[float]]) -> list[str]:
    (theirs, their_mib), (mine, my_mib) = found
    return [
        f"{theirs:.3f}", f"{mine:.3f}", f"{mine / theirs:.2f}",
        f"{their_mib:.0f}", f"{my_mib:.0f}", f"{my_mib / max(their_mib, 1):.2f}",
    ]  # fmt: skip


# ---- One process -------------------------------------------------------------------------------


def measure(operation: str, peer: str, path: str) -> list[float]:
    """Return the seconds and the MiB that one operation takes in this process."""
    warnings.simplefilter("ignore", DeprecationWarning)
    torch.set_num_threads(1)
    if peer == "minits":
        import minits as library
    else:
        library = torch.jit  # type: ignore[assignment]
    load: Callable[[str], Any] = library.load
    target = f"{path}.{peer}.out"
    small = f"{path}.{peer}.small"
    library.save(library.script(Weights(1, 4)), small)
    library.save(load(small), target)
    if operation == "load":
        return _costs(lambda: load(path))
    module = load(path)
    for parameter in module.parameters():
        parameter.data = parameter.data.clone()  # no part of the file any more
    return _costs(lambda: library.save(module, target))


def _costs(operation: Callable[[], object]) -> list[float]:
    before = _reset_peak()
    start = time.perf_counter()
    kept = operation()
    seconds = time.perf_counter() - start
    del kept
    return [seconds, _memory("VmHWM") - before]


def _reset_peak() -> float:
    """Let the peak of memory begin anew, and return the MiB in use. Linux has it alone."""
    Path("/proc/self/clear_refs").write_text("5")
    return _memory("VmRSS")


def _memory(name: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    raise LookupError(name)
