"""Searching for histories with wrong calls, in processes that may crash.

A process checks a chunk of histories and tells of each; one that dies or hangs has found something,
too. Shorter forms of what crashed are tried in processes of their own.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any

import torch

import minits.runtime.fusing  # noqa: F401  # otherwise each process imports it at its first call
from conformance.fuzz.calls.check import check
from conformance.fuzz.calls.drawn import drawn_program, random_history
from conformance.fuzz.calls.history import Call, History, Threads
from conformance.fuzz.calls.shrink import shrink
from conformance.fuzz.search import CHEAP_FLAGS

CHUNK = 100
"""Histories that a process checks, at most."""
JOBS_A_CORE = 2.5
"""Processes mostly wait: for threads whose turn it is, and for compilers."""
PROGRAMS = 480
"""Programs that the histories of a seed are about: their kernels are built once."""
AT_A_TIME = 6
"""Programs of one chunk."""
PATIENCE = 300.0
"""Seconds after which a history has no end. Threads that change places thousands of times take
half a minute where other processes want the processors."""
FRESH = 0.1
"""Of this part of the calls, those of a fresh program are looked at though they are eager's."""
IMPORTED_LATE = "torch._inductor"
"""What torch imports when it is first needed, which takes as long as fifty histories."""
MOST_SHRUNK = 1
"""Histories of a chunk that are made shorter; what fails alike is only counted."""


@dataclass(slots=True)
class Counts:
    """Numbers of histories, calls and crashes."""

    programs: int = 0
    """Histories: the command shows progress by this name."""
    calls: int = 0
    crashes: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.programs + other.programs,
            self.calls + other.calls,
            self.crashes + other.crashes,
        )

    def __str__(self) -> str:
        return f"{self.programs} histories of {self.calls} calls, {self.crashes} crashes"


Numbered = tuple[int, History]


@dataclass(slots=True)
class _Running:
    """A process at work on histories; those that it has told of are left out of `waiting`."""

    process: BaseProcess
    pipe: Connection
    waiting: list[Numbered]
    since: float


def usual_jobs() -> int:
    """Return the number of processes that are worth it on this machine."""
    return round(JOBS_A_CORE * (os.cpu_count() or 1))


def search(count: int, seed: int, jobs: int) -> Iterator[tuple[Counts, list[str]]]:
    """Check random histories; yield what was covered, and what failed, as text."""
    return check_histories([(number, history_of(seed, number)) for number in range(count)], jobs)


def check_histories(histories: Sequence[Numbered], jobs: int) -> Iterator[tuple[Counts, list[str]]]:
    """Check histories, in any order. Kernels are kept in a folder that is removed in the end."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["conformance.fuzz.calls.search", IMPORTED_LATE])
    size = max(1, min(CHUNK, -(-len(histories) // jobs)))
    chunks = [list(histories[at : at + size]) for at in range(0, len(histories), size)][::-1]
    running: list[_Running] = []
    with tempfile.TemporaryDirectory(prefix="minits-calls-") as folder:
        cache = os.environ.get("MINITS_CACHE", folder)
        try:
            while chunks or running:
                while chunks and len(running) < jobs:
                    running.append(_started(context, cache, chunks.pop()))
                wait([task.pipe for task in running], timeout=1.0)
                for task in list(running):
                    told = _told(task)
                    if told is None:
                        continue
                    number, history = task.waiting.pop(0)
                    task.since = time.monotonic()
                    is_over = isinstance(told, str)
                    yield _crashed(context, cache, number, history, told) if is_over else told
                    if is_over and task.waiting:
                        chunks.append(task.waiting)
                    if is_over or not task.waiting:
                        task.process.join()
                        running.remove(task)
        finally:
            for task in running:
                task.process.kill()


def _started(context: Any, cache: str, chunk: list[Numbered]) -> _Running:
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(cache, chunk, sender), daemon=True)
    process.start()
    sender.close()
    return _Running(process, receiver, chunk, time.monotonic())


def _told(task: _Running) -> Any:
    """The report of a history's process; a text if the process died or hung; None so far."""
    if task.pipe.poll():
        try:
            return task.pipe.recv()
        except EOFError:
            task.process.join()
            return f"the process died: exit code {task.process.exitcode}"
    if time.monotonic() - task.since > PATIENCE:
        task.process.kill()
        return "no end within the time limit"
    return None


# ---- In a process of its own -------------------------------------------------------------------


def prepare(cache: str) -> None:
    """Set up a process that checks histories; `cache` is the folder of kernels."""
    os.environ["MINITS_CACHE"] = cache
    os.environ["MINITS_BUILD"] = os.environ["MINITS_NATIVE"] = "now"
    os.environ["MINITS_CFLAGS"] = CHEAP_FLAGS
    torch.set_num_threads(1)
    torch.set_warn_always(True)
    warnings.simplefilter("ignore")
    logging.getLogger("torch._subclasses.fake_tensor").setLevel(logging.CRITICAL)


def _work(cache: str, chunk: list[Numbered], pipe: Connection) -> None:
    prepare(cache)
    shrunk: list[str] = []
    for number, history in chunk:
        faulthandler.dump_traceback_later(PATIENCE - 10)
        pipe.send(check_history(number, history, shrunk))
    faulthandler.cancel_dump_traceback_later()
    pipe.close()


_program = lru_cache(maxsize=PROGRAMS)(drawn_program)


def history_of(seed: int, number: int) -> History:
    """Return the history of this number: the same one each time."""
    random = Random(f"{seed} history {number}")
    first = number // CHUNK * AT_A_TIME
    program = _program(seed, (first + random.randrange(AT_A_TIME)) % PROGRAMS)
    return random_history(random, program)


def check_history(number: int, history: History, shrunk: list[str]) -> tuple[Counts, list[str]]:
    """Check one history; `shrunk` are the kinds of failures that were made shorter so far."""
    random = Random(number)
    steps = range(len(history.steps))
    compared = frozenset(step for step in steps if random.random() < FRESH)
    counts = Counts(1, _calls(history))
    kind, text = fault_of(history, compared)
    if not text:
        return counts, []
    if shrunk.count(kind) < MOST_SHRUNK:
        shrunk.append(kind)
        compared = frozenset(steps) if compared else compared
        history = shrink(history, lambda other: fault_of(other, compared)[0] == kind)
        text = fault_of(history, compared)[1] or text
    return counts, [f"history {number}: {text}\n\n{history.script()}\n"]


def fault_of(history: History, compared: frozenset[int]) -> tuple[str, str]:
    """Return the kind and the text of what is wrong with a history; empty if nothing is."""
    try:
        fault = check(history, compared)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} {where.name}", traceback.format_exc(limit=-8)
    return (fault.signature, str(fault)) if fault else ("", "")


def _calls(history: History) -> int:
    """The number of calls of a history, those of threads included."""
    calls = sum(isinstance(step, Call) for step in history.steps)
    threads = [step for step in history.steps if isinstance(step, Threads)]
    return calls + sum(len(each) for step in threads for each in step.threads)


# ---- Crashes -----------------------------------------------------------------------------------


def _crashed(
    context: Any, cache: str, number: int, history: History, how: str
) -> tuple[Counts, list[str]]:
    """Return the text of a history that ends its process, made shorter."""
    counts = Counts(1, _calls(history), 1)

    def fails(other: History) -> bool:
        process = context.Process(target=_alone, args=(cache, other), daemon=True)
        process.start()
        process.join(PATIENCE)
        if process.is_alive():
            process.kill()
            return True
        return bool(process.exitcode)

    if fails(history):
        history = shrink(history, fails)
    else:
        how += "; not when it is run alone"
    return counts, [f"history {number}: {how}\n\n{history.script()}\n"]


def _alone(cache: str, history: History) -> None:
    """Run a history in a process of its own; the exit code is 0 unless the process dies."""
    prepare(cache)
    null = Path(os.devnull).open("w")  # noqa: SIM115
    os.dup2(null.fileno(), 2)
    fault_of(history, frozenset())
