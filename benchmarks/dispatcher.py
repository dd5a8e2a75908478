"""Ways to call one small operator of torch from C and C++, beside torch.jit and Python.

    python -m benchmarks dispatcher [--rounds N]

What a plan in C pays for an operator that is no kernel. A shim is built against torch's C++ headers
(half a minute), which minits does not need: so it shows what the C interface costs, and what a shim
of one's own would save. The operators take two tensors of 64 numbers; no gradients are recorded.
The last of the ways are those for which C needs no operator (`minits/native/shortcuts.py`).
"""

from __future__ import annotations

import ctypes
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table
from torch import Tensor

from benchmarks import cpp
from minits.native.handles import handle_of

SOURCE = Path(__file__).with_name("dispatcher_calls.cpp")
COUNT = 500
WAYS = {
    "by_dispatcher": "torch_call_dispatcher, of the C interface: what minits does",
    "new_handles": "  of it, a handle of a tensor made and deleted (three in each call)",
    "by_name": "C++: found by its name, boxed",
    "by_cached_handle": "C++: a handle that is kept, boxed",
    "by_typed_handle": "C++: a handle that is kept, typed",
    "by_function": "C++: at::maximum",
    "by_function_of_the_cpu": "aoti_torch_cpu_add_Tensor, of the C interface: no gradients",
    "view_by_dispatcher": "x[3:35] by torch_call_dispatcher",
    "view_of_memory": "  by aoti_torch__reinterpret_tensor: what minits does",
    "join_by_dispatcher": "torch.cat((x, y)) by torch_call_dispatcher",
    "join_by_copies": "  by two copies: what minits does",
}


def built(folder: str) -> ctypes.CDLL:
    """Build the shim, and load it. Raises `subprocess.CalledProcessError`."""
    path = Path(folder) / "dispatcher_calls.so"
    cpp.build(SOURCE, path, "-shared", "-fPIC")
    return ctypes.CDLL(str(path))


def maxima(x: Tensor, y: Tensor, count: int) -> Tensor:
    for _ in range(count):
        x = torch.maximum(x, y)
    return x


def _best(call: Callable[[], object], rounds: int) -> float:
    """Return the least µs of an operator: what disturbs a call only makes it longer."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return min(times) / COUNT * 1e6


def run(rounds: int) -> int:
    """Print the table. Return 0."""
    torch.set_num_threads(1)
    x, y = torch.rand(64), torch.rand(64)
    table = Table("an operator called", "µs")
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        shim = built(folder)
        first, second = handle_of(x), handle_of(y)
        for name, title in WAYS.items():
            function = shim[name]
            took = _best(lambda f=function: f(first, second, COUNT), rounds)  # type: ignore[misc]
            table.add_row(title, f"{took:.2f}")
        scripted = torch.jit.script(maxima)
        for title, way in (("torch.jit", scripted), ("Python", maxima)):
            took = _best(lambda w=way: w(x, y, COUNT), rounds)  # type: ignore[misc]
            table.add_row(title, f"{took:.2f}")
    Console().print(table)
    return 0
