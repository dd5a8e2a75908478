"""Searching for archives on which `minits.load` does not end well, in processes that may crash.

Well is: a module, or an `ArchiveError`, within 5 seconds of the processor and 1 GiB of memory. A
changed archive that executes lines of the readers that none did before is kept and changed further,
so that the search comes deeper into them than random changes would.
"""

from __future__ import annotations

import faulthandler
import io
import os
import resource
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import minits
from conformance.fuzz.archives.corpus import Records, archives, unpacked
from conformance.fuzz.archives.mutations import mutated
from minits.archive.container.limits import Limits

CHUNK = 1000
SECONDS, BYTES = 5.0, 2**30
MOST_KEPT = 200
"""Changed archives of a chunk that are changed further."""
TRACED = 0.25
"""The part of the files of which is recorded what they execute: that takes time."""
_READERS = str(Path(minits.__file__).parent / "archive")


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


def search(count: int, seed: int, jobs: int) -> Iterator[tuple[Counts, list[str]]]:
    """Load changed archives; yield what was covered, and what failed, as text."""
    context = get_context("spawn")
    starts = list(range(0, count, CHUNK))
    with context.Pool(jobs, initializer=_begin, maxtasksperchild=1) as pool:
        tasks = [
            pool.apply_async(_check_chunk, (seed, start, min(CHUNK, count - start)))
            for start in starts
        ]
        for start, task in zip(starts, tasks, strict=True):
            try:
                yield task.get(timeout=CHUNK * SECONDS)
            except Exception as problem:  # the process died, or hangs
                yield Counts(CHUNK), [f"archives {start} to {start + CHUNK}: {problem!r}"]


def _begin() -> None:
    faulthandler.enable()
    warnings.simplefilter("ignore")


def _check_chunk(seed: int, start: int, count: int) -> tuple[Counts, list[str]]:
    """Change and load archives, each of them by numbers of its own."""
    originals = archives()
    pool: list[Records] = list(originals)
    _limit_memory()
    reached: set[Any] = set()
    counts, faults = Counts(), []
    for number in range(start, start + count):
        generator = Random(f"{seed} {start} {number}")
        content = mutated(generator.choice(pool), generator.choice(pool), generator)
        lines = _Lines() if generator.random() < TRACED else None
        begin = time.process_time()
        outcome = _load(content, lines)
        seconds = time.process_time() - begin
        counts += Counts(1, int(outcome == "read"), 0, seconds if lines is None else 0.0)
        if seconds > SECONDS * (1 if lines is None else 10) and outcome in ("read", "refused"):
            outcome = f"took {seconds:.1f} s"
        if outcome not in ("read", "refused"):
            faults.append(f"archive {number} of seed {seed}: {outcome}{_written(content, number)}")
        elif lines is not None and not lines.found <= reached and len(pool) < MOST_KEPT:
            reached |= lines.found
            counts.kept += 1
            _keep(pool, content)
    return counts, faults


def _keep(pool: list[Records], content: bytes) -> None:
    try:
        pool.append(unpacked(content))
    except Exception:  # other readers of ZIP files refuse more
        return


def _load(content: bytes, lines: _Lines | None) -> str:
    """Return "read", "refused", or what went wrong."""
    signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(int(SECONDS) * 12)
    try:
        if lines is not None:
            sys.settrace(lines.trace)
        minits.load(io.BytesIO(content), limits=Limits(check_crc=False))
    except minits.ArchiveError:
        return "refused"
    except BaseException as problem:  # whatever it is, is a finding
        sys.settrace(None)
        shown = "".join(traceback.format_exception(problem)[-4:])
        return f"raised {type(problem).__name__}: {problem}\n{shown}"
    finally:
        sys.settrace(None)
        signal.alarm(0)
    return "read"


def _hangs(*_: object) -> None:
    raise TimeoutError("it does not end")


def _limit_memory() -> None:
    """Let what takes a GiB more than is in use now fail."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * os.sysconf("SC_PAGE_SIZE") + BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))


def _written(content: bytes, number: int) -> str:
    """Write an archive where it can be looked at, and return its place as text."""
    path = Path(os.environ.get("TMPDIR", "/tmp"), f"minits-archive-{number}.pt")
    path.write_bytes(content)
    return f"\nwritten to {path}"


class _Lines:
    """The lines of the readers that were executed."""

    def __init__(self) -> None:
        self.found: set[tuple[str, int]] = set()

    def trace(self, frame: Any, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(_READERS):
            return None
        self.found.add((frame.f_code.co_filename, frame.f_lineno))
        return self.trace
