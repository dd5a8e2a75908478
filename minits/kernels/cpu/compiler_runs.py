"""Runs of a compiler, several at a time, none of which outlives its turn.

A compiler reads its text from a file and prints its errors to one: pipes would have to be served
while several run. It leads a group of processes, which ends with it, since gcc has others work for
it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from minits.kernels.cpu.forks import FORKS
from minits.records import dataclass

ENDING = threading.Event()
"""Set at the end of the process: no compiler is started any more, and those that run are ended."""
_GLANCE = 0.05
"""Seconds between two looks at it."""


class Failed(Exception):
    """A compiler did not do what it was asked for."""


@dataclass(frozen=True, slots=True)
class Command:
    """A compiler with its arguments, and the text that it is to read."""

    words: list[str]
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Run:
    process: subprocess.Popen[bytes]
    errors: Path
    """The file to which the compiler prints."""


def run(commands: Sequence[Command], folder: Path, seconds: float) -> None:
    """Run commands, as many at a time as there are processors. Raises Failed for the first fault.

    They have so many seconds in all, and what they read and print is kept in `folder`.
    """
    deadline = time.monotonic() + seconds
    running: deque[_Run] = deque()
    try:
        for number, command in enumerate(commands):
            if len(running) >= processors():
                _finish(running, deadline)
            running.append(_start(command, folder / f"run{number}"))
        while running:
            _finish(running, deadline)
    except subprocess.TimeoutExpired:
        raise Failed(f"it has not ended after {seconds:.0f} seconds") from None
    except OSError as fault:
        raise Failed(str(fault)) from None
    finally:
        for started in running:
            _end(started)


def processors() -> int:
    """Return the number of processors that this process may use; not every system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start(command: Command, path: Path) -> _Run:
    """Start a compiler that speaks English. Raises Failed, OSError."""
    if ENDING.is_set():
        raise Failed("the process ends")
    given, errors = path.with_suffix(".text"), path.with_suffix(".errors")
    given.write_bytes(command.text.encode("ascii", "backslashreplace"))
    with given.open("rb") as text, errors.open("wb") as said:
        process = subprocess.Popen(
            command.words,
            stdin=text,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**os.environ, "LC_ALL": "C"},
            start_new_session=True,
        )
    return _Run(process, errors)


def _finish(running: deque[_Run], deadline: float) -> None:
    """Wait for the one that was started first. Raises Failed, OSError, TimeoutExpired."""
    while True:
        left = max(0.0, deadline - time.monotonic())
        try:
            with FORKS.let_through():
                code = running[0].process.wait(min(left, _GLANCE))
            break
        except subprocess.TimeoutExpired:
            if ENDING.is_set():
                raise Failed("the process ends") from None
            if left <= _GLANCE:
                raise
    errors = running.popleft().errors
    if code:
        raise Failed(_reason(code, errors.read_text(encoding="utf-8", errors="replace")))


def _end(started: _Run) -> None:
    """End a compiler that is still running, and all that it has started."""
    if started.process.poll() is None:
        try:
            os.killpg(started.process.pid, signal.SIGKILL)
        except (OSError, AttributeError):
            started.process.kill()
        started.process.wait()


def _reason(code: int, said: str) -> str:
    """Return the first error that a compiler printed, on one line."""
    printed = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in printed if "error" in line]
    ended = f"exit code {code}" if code > 0 else f"killed by signal {-code}"
    return (errors or printed or [ended])[0]
