"""The command `python -m conformance fuzz`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from typing import Any

import torch

from conformance import options
from conformance.implementations import implementation
from conformance.levels import LEVELS

KINDS = ("kernels", "language", "calls", "archive")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.set_defaults(command=fuzz, kind="kernels")
    kinds = parser.add_mutually_exclusive_group()
    for kind, text in (
        ("kernels", "fused kernels (the default)"),
        ("language", "what torch.jit and minits accept"),
        ("calls", "histories of calls of one program"),
        ("archive", "damaged archives that are loaded"),
    ):
        kinds.add_argument(f"--{kind}", dest="kind", action="store_const", const=kind, help=text)
    parser.add_argument(
        "--backends",
        default="python,interpreter,cached",
        metavar="NAMES",
        help="with --language: whose calls to compare, of python,interpreter,cached,native",
    )
    parser.add_argument("--gradients", action="store_true", help="compare gradients with eager's")
    parser.add_argument(
        "--device", choices=("cpu", "cuda"), default="cpu", help="where kernels run (the CPU)"
    )
    parser.add_argument("-n", type=int, default=1000, metavar="N", help="how many programs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="processes, the cores' number or more"
    )
    options.add_implementation(parser)
    parser.add_argument(
        "--level", choices=LEVELS, default="text", help="with --language and --impl: what is judged"
    )
    options.add_scheduler(parser)
    options.add_json(parser)


def fuzz(chosen: argparse.Namespace) -> int:
    """Search for a disagreement; print the shortest form of each program that has one."""
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # no warnings of torch.jit's between them
    console = options.console()
    misuse = _misuse(chosen)
    if misuse:
        console.print(misuse, markup=False, soft_wrap=True)
        return 2
    counts, chunks = _search(chosen)
    failures: list[str] = []
    with options.progress() as bar:
        task = bar.add_task("programs", total=chosen.n)
        for covered, found in chunks:
            counts = counts + covered
            bar.update(task, completed=counts.programs, refresh=True)
            failures += found
            for failure in found:
                bar.console.print(failure, markup=False, highlight=False, soft_wrap=True)
    console.print(f"{counts}: {len(failures)} disagreements", soft_wrap=True)
    if chosen.json:
        passed = counts.programs - len(failures)
        totals = {"programs": (passed, counts.programs)}
        more = {"kind": chosen.kind, "seed": chosen.seed}
        options.write_report(chosen.json, "fuzz", chosen.impl, totals, failures, **more)
    return 1 if failures else 0


def _misuse(chosen: argparse.Namespace) -> str | None:
    from conformance.fuzz.language.check import BACKENDS

    implementation(chosen.impl)  # one that is not there is misuse
    if not set(chosen.backends.split(",")) <= {*BACKENDS}:
        return f"--backends takes some of {','.join(BACKENDS)}"
    if chosen.impl != "minits" and chosen.kind != "language":
        return f"--{chosen.kind} checks parts of minits: --impl needs --language"
    if chosen.scheduler and chosen.kind not in ("kernels", "language"):
        return f"--{chosen.kind} has its own processes: --scheduler takes --kernels or --language"
    if chosen.device == "cuda":
        return _misuse_of_device(chosen)
    return None


def _misuse_of_device(chosen: argparse.Namespace) -> str | None:
    if chosen.kind != "kernels" or chosen.scheduler:
        return "--device goes with --kernels, on this machine"
    if not torch.cuda.is_available():
        return f"--device cuda: torch {torch.__version__} finds no CUDA device here"
    return None


def _search(chosen: argparse.Namespace) -> tuple[Any, Iterator[tuple[Any, list[str]]]]:
    """Empty counts, and what is found chunk by chunk."""
    from conformance.fuzz import search as kernels
    from conformance.fuzz.archives import search as archives
    from conformance.fuzz.calls import search as calls
    from conformance.fuzz.language import search as language
    from conformance.fuzz.language.check import Measured

    n, seed = chosen.n, chosen.seed
    jobs = chosen.jobs or os.cpu_count() or 1
    if chosen.kind == "language":
        measured = Measured(chosen.impl, chosen.level, tuple(chosen.backends.split(",")))
        return language.Counts(), language.search(n, seed, jobs, measured, chosen.scheduler)
    if chosen.kind == "calls":
        return calls.Counts(), calls.search(n, seed, chosen.jobs or calls.usual_jobs())
    if chosen.kind == "archive":
        return archives.Counts(), archives.search(n, seed, jobs)
    return kernels.Counts(), kernels.search(
        n, seed, jobs, chosen.gradients, chosen.scheduler, chosen.device
    )
