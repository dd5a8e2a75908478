"""Searching for programs on which the ways to run them disagree."""

from __future__ import annotations

import hashlib
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from random import Random
from typing import TypeVar

import torch

from conformance.fuzz.check import Counts, check
from conformance.fuzz.gradients import check_gradients
from conformance.fuzz.programs import Program, random_program, runs
from conformance.fuzz.shrink import shrink
from conformance.on_device import run_kernels_on_device
from conformance.pool import Send, run_tasks

P = TypeVar("P")

CHUNK = 100
"""Programs that a process checks at a time."""
CHEAP_FLAGS = "-O1 -fno-openmp -nostdlib"
"""Kernels are built in half the time with these; every fourth chunk is built as users' are."""


SECONDS_OF_A_CHUNK = 1800.0
Task = tuple[int, int, int, bool]
"""The arguments of `search_chunk`."""


def search(
    count: int,
    seed: int,
    jobs: int,
    gradients: bool = False,
    scheduler: str | None = None,
    device: str = "cpu",
) -> Iterator[tuple[Counts, list[str]]]:
    """Check `count` programs; yield what each chunk covered, and its failing programs as text.

    Kernels are kept in a folder that is removed in the end. They run on the CPU, or on a GPU where
    `device` is "cuda".
    """
    begins = range(0, count, CHUNK)
    tasks = [(seed, begin, min(CHUNK, count - begin), gradients) for begin in begins]
    if scheduler is not None:
        yield from _search_on_cluster(tasks, scheduler)
        return
    with (
        tempfile.TemporaryDirectory(prefix="minits-fuzz-") as folder,
        ProcessPoolExecutor(
            jobs, mp_context=get_context("spawn"), initializer=prepare, initargs=(folder, device)
        ) as pool,
    ):
        for done in as_completed([pool.submit(search_chunk, *task) for task in tasks]):
            yield done.result()


def _search_on_cluster(tasks: list[Task], scheduler: str) -> Iterator[tuple[Counts, list[str]]]:
    preload = ["conformance.fuzz.search"]
    for ended in run_tasks(_work, tasks, 1, SECONDS_OF_A_CHUNK, preload, scheduler):
        seed, begin, count, _ = ended.task
        lost = f"programs {begin} to {begin + count - 1} of seed {seed}: {ended.lost}"
        yield ended.sent[0] if ended.sent else (Counts(programs=count), [lost])


def _work(task: Task, send: Send) -> None:
    with tempfile.TemporaryDirectory(prefix="minits-fuzz-") as folder:
        prepare(folder)
        send(search_chunk(*task))


def prepare(folder: str, device: str = "cpu") -> None:
    """Set up a process that checks programs; `folder` is for kernels, `device` where they run."""
    if device == "cuda":
        run_kernels_on_device()
    os.environ["MINITS_CACHE"] = folder
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")


def search_chunk(
    seed: int, begin: int, count: int, gradients: bool = False
) -> tuple[Counts, list[str]]:
    """Check programs from number `begin` on, which is a multiple of `CHUNK`."""
    os.environ["MINITS_CFLAGS"] = "" if begin // CHUNK % 4 == 0 else CHEAP_FLAGS
    total, failures = Counts(), []
    for number, program in drawn(
        seed, begin, count, lambda random: random_program(random, gradients)
    ):
        counts, failure = check_program(program, gradients)
        total = total + counts + Counts(texts=frozenset([_digest(program)]))
        if failure is not None:
            failures.append(f"program {number} of seed {seed}: {failure}")
    return total, failures


def _digest(program: Program) -> bytes:
    return hashlib.blake2b(str(program).encode(), digest_size=8).digest()


def drawn(
    seed: int, begin: int, count: int, make: Callable[[Random], P]
) -> Iterator[tuple[int, P]]:
    """Yield programs from number `begin` on, with numbers: `make` makes each of a generator.

    Generators are made of the seed and the number: no two are alike.
    """
    for number in range(begin, begin + count):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = make(Random(f"{seed} {number}"))
        yield number, made


def check_program(program: Program, gradients: bool) -> tuple[Counts, str | None]:
    """Check a program; return what was covered, and its shortest form that fails."""
    counts = Counts()
    fault = _fault(program, counts, gradients)
    if fault is None:
        return counts, None

    def fails(other: Program) -> bool:
        found = runs(other) and _fault(other, Counts(), gradients)
        return type(found) is type(fault)

    short = shrink(program, fails)
    found = _fault(short, Counts(), gradients)
    return counts, f"{type(found).__name__}: {found}\n\n{short}\n"


def _fault(program: Program, counts: Counts, gradients: bool) -> Exception | None:
    """The fault of a program, if it has any; a crash of the compiler is one, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            (check_gradients if gradients else check)(program, counts)
        except Exception as fault:
            return fault
    return None
