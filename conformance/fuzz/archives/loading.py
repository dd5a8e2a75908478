"""One changed archive: whether loading it, writing it again and inspecting it end well.

Well is: a module, or an `ArchiveError`, within 5 seconds of the processor and 1 GiB of memory. A
module that was read is saved or refused with a `SaveError`; an inspection tells of each file.
"""

from __future__ import annotations

import io
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import minits
from minits.archive.container.limits import Limits
from minits.archive.inspecting.inspector import inspect_archive

SECONDS, BYTES = 5.0, 2**30
SLOWER = 10
"""How many times longer it may take while lines are recorded."""
_LIMITS = Limits(check_crc=False)
_READERS = str(Path(minits.__file__).parent / "archive")


@dataclass(slots=True)
class Outcome:
    """What became of an archive: "read", "refused", or what went wrong, and how long it took."""

    told: str
    seconds: float = 0.0
    loaded: Any = None

    @property
    def is_well(self) -> bool:
        return self.told in ("read", "refused")


def load(content: bytes, lines: Lines | None = None) -> Outcome:
    """Load an archive; record which lines of the readers that executes."""
    begin = time.process_time()
    trace = None if lines is None else lines.trace
    loaded: list[Any] = []
    told = guarded(lambda: _loaded(content, trace, loaded))
    seconds = time.process_time() - begin
    outcome = Outcome(told, seconds if lines is None else 0.0, *loaded)
    if outcome.is_well and seconds > SECONDS * (1 if lines is None else SLOWER):
        outcome.told = f"took {seconds:.1f} s"
    return outcome


def save_again(loaded: Any) -> Outcome:
    """Save what was loaded."""
    return Outcome(guarded(lambda: _saved(loaded)))


def inspect(path: Path) -> Outcome:
    """Inspect the archive in a file."""
    return Outcome(guarded(lambda: str(inspect_archive(path, _LIMITS)) and "read"))


def _loaded(content: bytes, trace: Any, loaded: list[Any]) -> str:
    sys.settrace(trace)
    try:
        loaded.append(minits.load(io.BytesIO(content), limits=_LIMITS))
    except minits.ArchiveError:
        return "refused"
    finally:
        sys.settrace(None)
    return "read"


def _saved(loaded: Any) -> str:
    try:
        minits.save(loaded, io.BytesIO())
    except minits.SaveError:
        return "refused"
    return "read"


def guarded(act: Callable[[], str]) -> str:
    """Return what `act` returns, or the exception that it raises, or that it hangs, as text."""
    signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(int(SECONDS) * 12)
    try:
        return act()
    except BaseException as problem:  # whatever it is, is a finding
        shown = "".join(traceback.format_exception(problem)[-4:])
        return f"raised {type(problem).__name__}: {problem}\n{shown}"
    finally:
        signal.alarm(0)


def _hangs(*_: object) -> None:
    raise TimeoutError("it does not end")


def limit_memory() -> None:
    """Let what takes a GiB more than is in use now fail."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * os.sysconf("SC_PAGE_SIZE") + BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))


class Lines:
    """The lines of the readers that were executed."""

    def __init__(self) -> None:
        self.found: set[tuple[str, int]] = set()

    def trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(_READERS):
            return None
        self.found.add((frame.f_code.co_filename, frame.f_lineno))
        return self.trace
