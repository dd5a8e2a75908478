"""torch.compile's cache, filled by several processes while there is other work to do.

python -m benchmarks.gpu.warming NUMBER OF ELEMENTS     the rows of one of them
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import torch

from benchmarks.gpu.rows import PLANNED, call_of
from benchmarks.patterns import Pattern, load_examples

_PROCESSES = 6


def start_warming(elements: int) -> list[subprocess.Popen[bytes]]:
    """Start processes that compile all rows of a size."""
    command = [sys.executable, "-m", "benchmarks.gpu.warming"]
    return [
        subprocess.Popen(
            [*command, str(number), str(_PROCESSES), str(elements)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for number in range(_PROCESSES)
    ]


def warm(pattern: Pattern, elements: int, options: dict[str, Any]) -> None:
    """Compile one row, and run it."""
    torch._dynamo.reset()
    function = torch.compile(getattr(load_examples(), pattern.function), dynamic=False)
    call_of(function, pattern, pattern.arguments(elements, options))()
    torch.cuda.synchronize()
    torch.cuda.empty_cache()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    number, of, elements = map(int, sys.argv[1:])
    for pattern, dtype in PLANNED[number::of]:
        try:
            warm(pattern, elements, {"device": "cuda", "dtype": dtype})
        except Exception as fault:  # the row says so when it is measured
            print(f"{pattern.name}, {dtype}: {fault}", file=sys.stderr)
