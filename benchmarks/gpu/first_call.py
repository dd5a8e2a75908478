"""The first calls of a program in a new process: `python -m benchmarks.gpu.first_call WHO`.

Prints the seconds of each of four calls, from compiling on, as JSON. The device is in use before,
and torch is imported; minits is not, nor what torch.compile needs.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from typing import Any

import torch

from benchmarks.patterns import load_examples

CALLS = 4


def first_calls(who: str, device: str) -> list[float]:
    """Return the seconds of the first calls."""
    function: Any = load_examples().bias_gelu
    arguments = torch.randn(64, 64, device=device), torch.randn(64, device=device)
    function(*arguments)
    _wait(device)
    taken, started = [], time.perf_counter()
    if who == "torch.compile":
        function = torch.compile(function)
    elif who == "torch.jit":
        function = torch.jit.script(function)
    else:
        function = importlib.import_module("minits").script(function)
    for _ in range(CALLS):
        function(*arguments)
        _wait(device)
        taken.append(time.perf_counter() - started)
        started = time.perf_counter()
    return taken


def _wait(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


if __name__ == "__main__":
    print(json.dumps(first_calls(sys.argv[1], sys.argv[2])))
