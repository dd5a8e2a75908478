"""Searching for programs on which torch.jit and minits disagree."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from random import Random

from conformance.fuzz.language.check import Disagreement, check
from conformance.fuzz.language.mistakes import mistaken
from conformance.fuzz.language.programs import Program, random_program
from conformance.fuzz.language.shrink import shrink
from conformance.fuzz.search import CHUNK, drawn, prepare

MISTAKES_IN_TEN = 4
"""How many programs in ten have a mistake put into them."""


@dataclass(slots=True)
class Counts:
    """What was covered."""

    programs: int = 0
    accepted: int = 0
    refused: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.programs + other.programs,
            self.accepted + other.accepted,
            self.refused + other.refused,
        )

    def __str__(self) -> str:
        return f"{self.programs} programs, {self.accepted} accepted, {self.refused} refused"


def search(count: int, seed: int, jobs: int) -> Iterator[tuple[Counts, list[str]]]:
    """Check `count` programs; yield what each chunk covered, and its failing programs as text."""
    tasks = [(seed, begin, min(CHUNK, count - begin)) for begin in range(0, count, CHUNK)]
    with ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=prepare, initargs=("",)
    ) as pool:
        for done in as_completed([pool.submit(search_chunk, *task) for task in tasks]):
            yield done.result()


def search_chunk(seed: int, begin: int, count: int) -> tuple[Counts, list[str]]:
    """Check programs from number `begin` on, which starts a chunk."""
    total, failures = Counts(), []
    for number, program in drawn(seed, begin, count, _program):
        counts, failure = check_program(program)
        total = total + counts
        if failure is not None:
            failures.append(f"program {number} of seed {seed}: {failure}")
    return total, failures


def _program(random: Random) -> Program:
    program = random_program(random)
    return mistaken(random, program) if random.randrange(10) < MISTAKES_IN_TEN else program


def check_program(program: Program) -> tuple[Counts, str | None]:
    """Check a program; return what was covered, and its shortest form that fails."""
    counts = Counts(programs=1)
    found = _fault(program, counts)
    if found is None:
        return counts, None
    measure = found.measure

    def fails(other: Program) -> bool:
        fault = _fault(other, Counts()) if _loads(other) else None
        return fault is not None and fault.measure == measure

    short = shrink(program, fails)
    return counts, f"{_fault(short, Counts())}\n\n{short}\n"


def _loads(program: Program) -> bool:
    try:
        program.load().make()
    except Exception:
        return False
    return True


def _fault(program: Program, counts: Counts) -> Disagreement | None:
    """How the implementations disagree."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            accepted = check(program)
        except Disagreement as fault:
            return fault
    counts.accepted += accepted is True
    counts.refused += accepted is False
    return None
