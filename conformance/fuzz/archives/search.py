"""Searching for archives on which minits does not end well, in processes that may crash.

A changed archive that executes lines of the readers that none of its chunk did before is kept and
changed further, so that the search comes deeper into them than random changes would.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any

import torch

from conformance.fuzz.archives.corpus import Records, archives, unpacked
from conformance.fuzz.archives.loading import Lines, inspect, limit_memory, load, save_again
from conformance.fuzz.archives.mutations import mutated

CHUNK = 500
"""Archives that are changed from the same ones; what a chunk keeps, it keeps for itself."""
PATIENCE = 120.0
"""Seconds after which a process that tells nothing of its archive hangs."""
MOST_KEPT = 200
"""Changed archives of a chunk that are changed further."""
TRACED = 0.25
"""The part of the files of which is recorded what they execute: that takes time."""
INSPECTED = 0.1
"""The part of the files that are inspected, too."""


@dataclass(slots=True)
class Counts:
    """Numbers of archives, and of those that were read."""

    programs: int = 0
    """Archives: the command shows progress by this name."""
    read: int = 0
    kept: int = 0
    slowest: float = 0.0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.programs + other.programs,
            self.read + other.read,
            self.kept + other.kept,
            max(self.slowest, other.slowest),
        )

    def __str__(self) -> str:
        return (
            f"{self.programs} archives, {self.read} of them read, {self.kept} that came further, "
            f"{self.slowest:.1f} s for the slowest"
        )


Chunk = tuple[int, int]
"""The numbers of archives: from the first, up to the second."""


# ---- The search --------------------------------------------------------------------------------


@dataclass(slots=True)
class _Worker:
    """A process, with the chunk it is at work on and the archive of it that it changed last.

    The archive lies in a file too, so that it is there when the process has died of it.
    """

    process: BaseProcess
    pipe: Connection
    file: Path
    number: Any
    """Shared with the process: the number of the archive."""
    chunk: Chunk = (0, 0)
    since: float = 0.0

    def give(self, chunk: Chunk) -> None:
        self.chunk, self.since = chunk, time.monotonic()
        self.number.value = chunk[0]
        self.pipe.send(chunk)


def search(count: int, seed: int, jobs: int) -> Iterator[tuple[Counts, list[str]]]:
    """Load changed archives; yield what was covered, and what failed, as text."""
    chunks = [(at, min(count, at + CHUNK)) for at in range(0, count, CHUNK)][::-1]
    with tempfile.TemporaryDirectory(prefix="minits-archives-") as folder:
        idle = [_started(seed, Path(folder, f"{n}.pt")) for n in range(min(jobs, len(chunks)))]
        busy: list[_Worker] = []
        try:
            while chunks or busy:
                while chunks and idle:
                    busy.append(idle.pop())
                    busy[-1].give(chunks.pop())
                for worker in _ready(busy):
                    found, rest = _result(worker, seed)
                    yield found
                    busy.remove(worker)
                    chunks += rest
                    alive = worker if worker.process.is_alive() else _started(seed, worker.file)
                    idle.append(alive)
        finally:
            for worker in idle + busy:
                worker.process.kill()
                worker.process.join()


def _started(seed: int, file: Path) -> _Worker:
    context = get_context("spawn")
    pipe, other = context.Pipe()
    number = context.Value("q", 0)
    process = context.Process(target=_work, args=(seed, file, number, other), daemon=True)
    process.start()
    other.close()
    return _Worker(process, pipe, file, number)


def _ready(busy: list[_Worker]) -> list[_Worker]:
    """Wait until a process ends a chunk, dies or hangs; return those that do."""
    before = [worker.number.value for worker in busy]
    wait([worker.pipe for worker in busy], timeout=1.0)
    now = time.monotonic()
    for worker, number in zip(busy, before, strict=True):
        if worker.number.value != number:
            worker.since = now
    return [worker for worker in busy if worker.pipe.poll() or now - worker.since > PATIENCE]


def _result(worker: _Worker, seed: int) -> tuple[tuple[Counts, list[str]], list[Chunk]]:
    """Return what a process found in its chunk, and the part of it that is left to do."""
    told = "it does not end"
    if worker.pipe.poll():
        try:
            return worker.pipe.recv(), []
        except EOFError:
            worker.process.join()
            told = f"the process died: exit code {worker.process.exitcode}"
    worker.process.kill()
    worker.process.join()
    (first, end), number = worker.chunk, worker.number.value
    fault = f"archive {number} of seed {seed}: {told}{_kept(worker.file, number)}"
    rest = [(number + 1, end)] if number + 1 < end else []
    return (Counts(number + 1 - first), [fault]), rest


def _kept(file: Path, number: int) -> str:
    """Copy an archive to where it can be looked at, and return its place as text."""
    path = Path(tempfile.gettempdir(), f"minits-archive-{number}.pt")
    try:
        shutil.copy(file, path)
    except OSError as why:
        return f"\nnot written: {why}"
    return f"\nwritten to {path}"


# ---- The work of a process ---------------------------------------------------------------------


def _work(seed: int, file: Path, number: Any, pipe: Connection) -> None:
    """Check chunks until the pipe is closed."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    os.environ["TORCH_CPP_LOG_LEVEL"] = "ERROR"
    torch.set_num_threads(1)
    _originals()
    gc.freeze()  # else the collector walks what was imported, for every archive
    while True:
        try:
            chunk = pipe.recv()
        except EOFError:
            return
        limit_memory()
        pipe.send(check_chunk(seed, chunk, file, number))


@cache
def _originals() -> list[Records]:
    return archives()


def check_chunk(seed: int, chunk: Chunk, file: Path, number: Any) -> tuple[Counts, list[str]]:
    """Change and load archives, each of them by a number of its own."""
    pool = list(_originals())
    reached: set[tuple[str, int]] = set()
    counts, faults = Counts(), []
    for number.value in range(*chunk):
        generator = Random(f"{seed} {chunk[0]} {number.value}")
        content = mutated(generator.choice(pool), generator.choice(pool), generator)
        file.write_bytes(content)
        lines = Lines() if generator.random() < TRACED else None
        told, seconds = _outcome(content, file, lines, generator.random() < INSPECTED)
        counts += Counts(1, int(told == "read"), 0, seconds)
        if told not in ("read", "refused"):
            place = _kept(file, number.value)
            faults.append(f"archive {number.value} of seed {seed}: {told}{place}")
        elif lines is not None and not lines.found <= reached and len(pool) < MOST_KEPT:
            reached |= lines.found
            counts.kept += 1
            _keep(pool, content)
    return counts, faults


def _outcome(
    content: bytes, file: Path, lines: Lines | None, is_inspected: bool
) -> tuple[str, float]:
    """Return what became of an archive, and how long it took to load it."""
    outcome = load(content, lines)
    others = []
    if outcome.told == "read":
        others.append(("saved again", save_again(outcome.loaded)))
    if is_inspected and outcome.is_well:
        others.append(("inspected", inspect(file)))
    for title, other in others:
        if not other.is_well:
            return f"{title}: {other.told}", outcome.seconds
    return outcome.told, outcome.seconds


def _keep(pool: list[Records], content: bytes) -> None:
    try:
        pool.append(unpacked(content))
    except Exception:  # other readers of ZIP files refuse more
        return
