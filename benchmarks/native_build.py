"""Libraries that `minits build` makes of modules with tensors, beside torch.jit.

    python -m benchmarks native_build [--rounds N]

Each module is built into a folder, from its script to the library, and called from Python in turns
with torch.jit in one process, without gradients and with one thread; the ratio is the median of the
rounds' ratios. A library gives the results of torch.jit, which is checked first.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table
from torch import nn

import minits
from benchmarks import native_build_programs as programs
from minits.native_build.building import build_library, write_library
from minits.native_build.programs import exported

CALLS = 5
"""Calls of a round, which are timed as one."""


def models() -> list[tuple[str, nn.Module, tuple[Any, ...]]]:
    """Return modules with their arguments, and a text that says what they are."""
    torch.manual_seed(0)
    words = torch.randint(0, 1000, (1, 32))
    return [
        ("`Encoder`: 4 layers, 128 features, 32 words", programs.Encoder(), (words,)),
        ("`Encoder`: 12 layers", programs.Encoder(12), (words,)),
        (
            "`BeamDecoder`: 4 beams, 10 steps",
            programs.BeamDecoder(),
            (torch.randn(1, 12, 64), 10),
        ),
        ("`VoiceDetector`: 512 samples", programs.VoiceDetector(), (torch.randn(1, 512),)),
    ]


def built(module: nn.Module, folder: Path) -> tuple[float, int]:
    """Return the seconds that a library takes to be built, and its bytes, without weights."""
    script = minits.script(module)
    start = time.perf_counter()
    write_library([*exported(script, "model")], folder)
    library = build_library(folder)
    return time.perf_counter() - start, library.stat().st_size


def seconds(function: Any, arguments: tuple[Any, ...]) -> float:
    """Return the seconds of a call."""
    start = time.perf_counter()
    for _ in range(CALLS):
        function(*arguments)
    return (time.perf_counter() - start) / CALLS


def measure(
    module: nn.Module, arguments: tuple[Any, ...], rounds: int
) -> tuple[float, int, float, float, float]:
    """Return seconds to build, bytes, both medians of seconds of a call, and the median ratio."""
    script = torch.jit.script(module)
    with tempfile.TemporaryDirectory() as name, torch.no_grad():
        build_seconds, size = built(module, Path(name))
        library = minits.load_native(name)
        for _ in range(4):
            found, expected = library(*arguments), script(*arguments)
            torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)
        pairs = [(seconds(script, arguments), seconds(library, arguments)) for _ in range(rounds)]
    theirs, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(theirs / ours for theirs, ours in pairs)
    return build_seconds, size, theirs, ours, ratio


def run(rounds: int, file: str | None = None) -> int:
    """Print the table. Return 0."""
    torch.set_num_threads(1)
    table = Table("module", "build", "library", "torch.jit", "library's call", "ratio")
    results = []
    for text, module, arguments in models():
        build_seconds, size, theirs, ours, ratio = measure(module.eval(), arguments, rounds)
        results.append({"module": text, "build": build_seconds, "bytes": size, "ratio": ratio})
        times = [f"{1e6 * each:.0f} µs" for each in (theirs, ours)]
        table.add_row(
            text, f"{build_seconds:.2f} s", f"{size / 1024:.0f} kB", *times, f"{ratio:.2f}"
        )
    Console().print(table)
    if file:
        Path(file).write_text(json.dumps(results, indent=1) + "\n")
    return 0
