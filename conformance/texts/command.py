"""The texts that minits prints about many programs, as files that `diff -r` compares.

A change that only moves or renames code of minits leaves all of them as they were, byte for byte:

    python -m conformance texts before      # in the state before the change
    python -m conformance texts after       # in the state after it
    diff -r before after

For each conformance case, in both dialects, and for each drawn program of the fuzzer of kernels, a
file holds the graph and `.code` of each function, or the error; and for each call the graph of its
plan, the generated Python, the remarks, and the C and CUDA text of its kernels. For each example
it holds what `minits compile` prints. Every program is compiled in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import torch

from conformance.case import find_scripted
from conformance.upstream.forks import Send, fork

SILENCE = 120.0
"""Seconds after which a program is given up."""
EMITTED = ("ast", "types", "ir", "inlined", "optimized", "code", "python", "loops", "cpp", "cuda")

Text = Callable[[], str]
"""Prints one program."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.set_defaults(command=texts)
    parser.add_argument("folder", type=Path, help="where to write the files")
    parser.add_argument("--case", default="", metavar="TEXT", help="only what has TEXT in its name")
    parser.add_argument("-n", type=int, default=100, metavar="N", help="how many drawn programs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")


def texts(options: argparse.Namespace) -> int:
    """Write all files and return the exit status: 1 if a program ended its process."""
    work = [each for each in _all_texts(options) if options.case in each[0]]
    with ThreadPoolExecutor(options.jobs) as pool:
        lost = [name for name in pool.map(partial(_write, options.folder), work) if name]
    print(f"{len(work)} programs printed to {options.folder}; lost: {', '.join(lost) or 'none'}")
    return 1 if lost else 0


def _all_texts(options: argparse.Namespace) -> Iterator[tuple[str, Text]]:
    from conformance.texts import printed

    for case in find_scripted():
        for dialect in ("torch", "extended"):
            yield f"cases/{case.name}.{dialect}", partial(printed.case_text, case, dialect)
    for path in sorted((printed.ROOT / "examples").glob("*.py")):
        for kind in EMITTED:
            yield f"examples/{path.stem}.{kind}", partial(printed.example_text, path, kind)
    for number in range(options.n):
        yield f"drawn/{number:05}", partial(printed.drawn_text, options.seed, number)


def _write(folder: Path, work: tuple[str, Text]) -> str | None:
    """Write the file of one program; return its name if its process ended before."""
    name, text = work
    *messages, end = fork(partial(_send_text, text), SILENCE)
    path = folder / f"{name}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(messages[0]["text"] if messages else f"lost: {end['end']}\n", "utf-8")
    return None if messages else name


def _send_text(text: Text, send: Send) -> None:
    from conformance.texts import printed

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    os.environ["MINITS_PLANS"] = "memory"
    send({"text": printed.settled(text())})
