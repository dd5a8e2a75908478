"""Searching for programs on which the ways to run them disagree."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import hypothesis
import torch
from hypothesis import HealthCheck, Phase

from conformance.fuzz.check import Counts, Disagreement, check
from conformance.fuzz.programs import Program, programs

CHUNK = 250
"""Programs of a seed; each chunk is searched by itself."""


def search_chunk(seed: int, count: int) -> tuple[Counts, str | None]:
    """Check `count` programs; return what was covered, and the simplest failing one as text."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    counts = Counts()

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count,
        deadline=None,
        database=None,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    @hypothesis.given(programs())
    def agree(program: Program) -> None:
        check(program, counts)

    try:
        agree()
    except Disagreement as found:
        return counts, str(found)
    except Exception as fault:  # a crash of the compiler is a finding, too
        return counts, f"{type(fault).__name__}: {fault}\n" + "\n".join(
            getattr(fault, "__notes__", [])
        )
    return counts, None


def search(count: int, seed: int, jobs: int) -> Iterator[tuple[Counts, str | None]]:
    """Check `count` programs in several processes; yield the results of chunks as they come."""
    sizes = [min(CHUNK, count - begin) for begin in range(0, count, CHUNK)]
    seeds = range(seed * 1_000_003, seed * 1_000_003 + len(sizes))
    if jobs == 1:
        for chunk, size in zip(seeds, sizes, strict=True):
            yield search_chunk(chunk, size)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running = [pool.submit(search_chunk, *task) for task in zip(seeds, sizes, strict=True)]
        for done in as_completed(running):
            yield done.result()
