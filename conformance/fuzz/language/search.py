"""Searching for programs on which torch.jit and minits disagree."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from concurrent.futures import Future, TimeoutError, as_completed
from dataclasses import astuple, dataclass
from functools import partial
from multiprocessing import get_context
from random import Random

from pebble import ProcessExpired, ProcessPool

from conformance.fuzz.language.check import MINITS, Disagreement, Measured, Outcome, check
from conformance.fuzz.language.hostile_names import renamed
from conformance.fuzz.language.mistakes import mistaken
from conformance.fuzz.language.programs import Program, random_program
from conformance.fuzz.language.shrink import shrink
from conformance.fuzz.search import CHUNK, drawn, prepare
from conformance.observe import observe
from conformance.pool import LATE, Send, run_tasks
from conformance.torch_implementation import TorchJit

HOSTILE_IN_TEN = 4
"""How many programs in ten have names that make trouble."""
MISTAKES_IN_TEN = 4
"""How many programs in ten have a mistake put into them."""
SECONDS = 60
"""How long the check of a program may take: some programs do not end, or not in time."""
SECONDS_TO_SHORTEN = 600


@dataclass(slots=True)
class Counts:
    """Numbers of programs. One that torch.jit does not end (`endless`) tells nothing."""

    programs: int = 0
    accepted: int = 0
    refused: int = 0
    endless: int = 0
    native: int = 0
    """Those of the accepted of which all, or a loop, ran as C."""

    def __add__(self, other: Counts) -> Counts:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Counts(*(mine + theirs for mine, theirs in pairs))

    def __str__(self) -> str:
        text = f"{self.programs} programs, {self.accepted} accepted, {self.refused} refused"
        text += f", {self.native} in C" if self.native else ""
        return f"{text}, {self.endless} that torch.jit does not end" if self.endless else text


def search(
    count: int, seed: int, jobs: int, measured: Measured = MINITS, scheduler: str | None = None
) -> Iterator[tuple[Counts, list[str]]]:
    """Check `count` programs; yield what each covered, and its shortest form that fails as text.

    Each program has `SECONDS` in a process that is killed when they are over.
    """
    if scheduler is not None:
        yield from _search_on_cluster(count, seed, measured, scheduler)
        return
    with ProcessPool(
        jobs, context=get_context("spawn"), initializer=prepare, initargs=[""]
    ) as pool:
        pending: dict[Future[Counts | str], tuple[int, Program]] = {
            pool.schedule(check_program, [program, measured], timeout=SECONDS): (number, program)
            for number, program in _programs(count, seed)
        }
        for done in as_completed(pending):
            number, program = pending.pop(done)
            counts, fault = _outcome(pool, done, program, measured)
            yield counts, [f"program {number} of seed {seed}: {fault}"] if fault else []


def _programs(count: int, seed: int) -> Iterator[tuple[int, Program]]:
    for begin in range(0, count, CHUNK):
        yield from drawn(seed, begin, min(CHUNK, count - begin), _program)


def _program(random: Random) -> Program:
    program = random_program(random)
    if random.randrange(10) < HOSTILE_IN_TEN:
        program = renamed(random, program)
    return mistaken(random, program) if random.randrange(10) < MISTAKES_IN_TEN else program


def _outcome(
    pool: ProcessPool, done: Future[Counts | str], program: Program, measured: Measured
) -> tuple[Counts, str | None]:
    """The counts of a check, and a text of the disagreement, if there is one."""
    try:
        result = done.result()
    except ProcessExpired as died:
        return Counts(programs=1), f"the process died: {died}\n\n{program}\n"
    except TimeoutError:
        if _is_endless(pool, program):
            return Counts(programs=1, endless=1), None
        return Counts(programs=1), f"{measured.name} does not end it\n\n{program}\n"
    if isinstance(result, Counts):
        return result, None
    try:
        arguments = [program, result, measured]
        text = pool.schedule(shortened, arguments, timeout=SECONDS_TO_SHORTEN).result()
    except TimeoutError:
        text = f"{result}, and takes long to shorten\n\n{program}\n"
    return Counts(programs=1), text


def _is_endless(pool: ProcessPool, program: Program) -> bool:
    """Whether torch.jit does not end a program, either."""
    try:
        pool.schedule(run_with_torch, [program], timeout=SECONDS).result()
    except TimeoutError:
        return True
    return False


def run_with_torch(program: Program) -> None:
    """Do with torch.jit what a check does."""
    observe(program, TorchJit())


def _search_on_cluster(
    count: int, seed: int, measured: Measured, scheduler: str
) -> Iterator[tuple[Counts, list[str]]]:
    """As `search`; a program that does not end in time is counted, whoever does not end it."""
    numbered = list(_programs(count, seed))
    work = partial(_work, measured)
    preload = ["conformance.fuzz.language.search"]
    for ended in run_tasks(work, numbered, 1, SECONDS_TO_SHORTEN, preload, scheduler):
        number, program = ended.task
        counts, fault = Counts(programs=1), f"{ended.lost}\n\n{program}\n"
        if ended.sent:
            counts, fault = ended.sent[-1]
        elif ended.lost == LATE:
            counts, fault = Counts(programs=1, endless=1), ""
        yield counts, [f"program {number} of seed {seed}: {fault}"] if fault else []


def _work(measured: Measured, task: tuple[int, Program], send: Send) -> None:
    prepare("")
    result = check_program(task[1], measured)
    if isinstance(result, Counts):
        send((result, ""))
    else:
        send((Counts(programs=1), shortened(task[1], result, measured)))


def check_program(program: Program, measured: Measured = MINITS) -> Counts | str:
    """Check a program; return what was covered, or the measure at which the two disagree."""
    try:
        outcome = _check_quietly(program, measured)
    except Disagreement as found:
        return found.measure
    accepted, is_native = outcome in ("accepted", "native"), outcome == "native"
    return Counts(1, int(accepted), int(outcome == "refused"), native=int(is_native))


def shortened(program: Program, measure: str, measured: Measured = MINITS) -> str:
    """Return the disagreement with torch.jit, and the shortest program that shows it."""

    def fails(other: Program) -> bool:
        return _loads(other) and check_program(other, measured) == measure

    short = shrink(program, fails)
    try:
        _check_quietly(short, measured)
    except Disagreement as found:
        return f"{found}\n\n{short}\n"
    raise AssertionError(f"shortening lost the disagreement of\n{program}")


def _check_quietly(program: Program, measured: Measured) -> Outcome | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return check(program, measured)


def _loads(program: Program) -> bool:
    try:
        program.load().make()
    except Exception:
        return False
    return True
