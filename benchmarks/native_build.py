"""Libraries that `minits build` makes of modules with tensors, beside torch.jit.

    python -m benchmarks native_build [--rounds N]

Each module is built into a folder, from its script to the library, and called in turns with
torch.jit in one process, without gradients and with one thread: from Python, and from C++, where
torch.jit is called by its C++ API (a program that is built against torch's headers, in half a
minute). Ratios are the medians of the rounds' ratios. A library gives the results of torch.jit,
which is checked first.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import torch
from rich.console import Console
from rich.table import Table
from torch import nn

import minits
from benchmarks import cpp
from benchmarks import native_build_programs as programs
from minits.native_build.building import build_library, write_library
from minits.native_build.programs import exported

CALLS = 5
"""Calls of a round, which are timed as one."""
SOURCE = Path(__file__).with_name("native_build_calls.cpp")


class Times(NamedTuple):
    """Medians of the seconds of a call by torch.jit and by a library, and of their ratios."""

    theirs: float
    ours: float
    ratio: float


class Measured(NamedTuple):
    """A library's seconds to build, its bytes, and the times of calls from Python and from C++."""

    build: float
    size: int
    python: Times
    cpp: Times


_IN_CPP = ("torch.jit in C++", "library in C++", "ratio in C++")


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
        ("`Policy` of ELU: 1 row", programs.Policy(nn.ELU), (torch.randn(1, 48),)),
        ("`Policy` of LeakyReLU", programs.Policy(nn.LeakyReLU), (torch.randn(1, 48),)),
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


def times_of(pairs: list[tuple[float, float]]) -> Times:
    theirs, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    return Times(theirs, ours, statistics.median(theirs / ours for theirs, ours in pairs))


class Given(nn.Module):
    """Arguments, in an archive."""

    def __init__(self, arguments: tuple[Any, ...]) -> None:
        super().__init__()
        self.given = arguments

    def forward(self) -> None:
        pass


def times_in_cpp(
    program: Path, script: Any, arguments: tuple[Any, ...], library: Path, rounds: int
) -> Times:
    """Return what the program in C++ has measured. Raises `subprocess.CalledProcessError`."""
    script.save(str(library / "module.pt"))
    torch.jit.script(Given(arguments)).save(str(library / "arguments.pt"))
    files = ["module.pt", "arguments.pt", "libmodel.so", "model.safetensors"]
    command = [program, *[library / name for name in files], rounds, CALLS]
    ran = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True)
    lines = [line.split() for line in ran.stdout.splitlines()]
    return times_of([(float(theirs), float(ours)) for theirs, ours in lines])


def measure(
    module: nn.Module, arguments: tuple[Any, ...], rounds: int, programs_folder: Path
) -> Measured:
    """Build a library, and time it; `programs_folder` has or gets the program in C++.

    Raises `AssertionError` for results that are not torch.jit's.
    """
    script = torch.jit.script(module)
    with tempfile.TemporaryDirectory() as name, torch.no_grad():
        folder = Path(name)
        build_seconds, size = built(module, folder)
        library = minits.load_native(name)
        for _ in range(4):
            found, expected = library(*arguments), script(*arguments)
            torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)
        pairs = [(seconds(script, arguments), seconds(library, arguments)) for _ in range(rounds)]
        program = programs_folder / "native_build_calls"
        if not program.exists():
            cpp.build(SOURCE, program, f"-I{folder}")  # the header, which all libraries share
        of_cpp = times_in_cpp(program, script, arguments, folder, rounds)
    return Measured(build_seconds, size, times_of(pairs), of_cpp)


def run(rounds: int, file: str | None = None) -> int:
    """Print the table. Return 0."""
    torch.set_num_threads(1)
    table = Table("module", "build", "library", "torch.jit", "library", "ratio", *_IN_CPP)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for text, module, arguments in models():
            found = measure(module.eval(), arguments, rounds, Path(folder))
            results.append({"module": text, **found._asdict()})
            cells = [f"{found.build:.2f} s", f"{found.size / 1024:.0f} kB"]
            for theirs, ours, ratio in (found.python, found.cpp):
                cells += [f"{1e6 * theirs:.0f} µs", f"{1e6 * ours:.0f} µs", f"{ratio:.2f}"]
            table.add_row(text, *cells)
    Console().print(table)
    if file:
        Path(file).write_text(json.dumps(results, indent=1) + "\n")
    return 0
