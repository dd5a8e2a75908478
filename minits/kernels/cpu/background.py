"""The time of building kernels that are not in the user's cache; building while calls go on.

    MINITS_BUILD=background     the first two calls of a program run it as it was written, operator
                                by operator; the next one plans it. A thread builds the kernels, and
                                calls run unfused meanwhile: none waits (the default), except under
                                `torch.utils.checkpoint`, which counts what is saved
    MINITS_BUILD=again          the second call plans, and waits for the kernels
    MINITS_BUILD=now            the first call plans and waits, too, so that equal calls give equal
                                results from the first one on

A thread builds one job after the other, and ends when there is none left. A fork of the process has
no such thread: what was being built is asked for again (`forks.py` tells when a fork may be). At
the end of the process the compiler is ended, and what waits is dropped.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from minits.environment import choice
from minits.kernels.cpu.c_compiler import NoCompiler
from minits.kernels.cpu.compiler_runs import ENDING
from minits.kernels.cpu.forks import FORKS
from minits.kernels.launch.observers import are_saves_counted

_OF_THREAD = threading.local()


class BeingBuilt(NoCompiler):
    """A kernel is being built by a job; a later call will find it."""

    def __init__(self, job: Job) -> None:
        super().__init__("its kernel is being built")
        self.job = job


def calls_as_written() -> int:
    """Return the number of a program's first calls that run it as it was written.

    What is called no more often than that pays for no pass and no compiler.
    """
    return 0 if are_saves_counted() else _CALLS_AS_WRITTEN[_mode()]


def builds_in_background() -> bool:
    """Return whether calls go on meanwhile."""
    return _mode() == "background" and not are_saves_counted()


_CALLS_AS_WRITTEN = {"now": 0, "again": 1, "background": 2}


def _mode() -> str:
    if getattr(_OF_THREAD, "waits", False):
        return "now"
    return choice("MINITS_BUILD", "background", "again", "now")


@contextmanager
def building_now() -> Iterator[None]:
    """Wait for what is built in this thread, whatever the user wants of calls."""
    before = getattr(_OF_THREAD, "waits", False)
    _OF_THREAD.waits = True
    try:
        yield
    finally:
        _OF_THREAD.waits = before


class Job:
    """Something that is built in the background, in this process."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work: Callable[[], None] | None = work
        self._done = threading.Event()
        self._fault: Exception | None = None
        self._process = os.getpid()

    @property
    def is_lost(self) -> bool:
        """Return whether the thread that was to do it is another process's."""
        return self._process != os.getpid() and not self._done.is_set()

    @property
    def is_going_on(self) -> bool:
        """Return whether calls of this thread are to go on without what it builds."""
        return not (self._done.is_set() or self.is_lost) and builds_in_background()

    def run(self) -> None:
        work, self._work = self._work, None
        assert work is not None
        try:
            work()
        except Exception as fault:
            self._fault = fault
        self._done.set()

    def result(self, waits: bool) -> None:
        """Wait for the job. Raises its error, or BeingBuilt where it does not wait (`waits`)."""
        if not waits and not self._done.is_set():
            raise BeingBuilt(self)
        self._done.wait()
        if self._fault is not None:
            raise self._fault.with_traceback(None)


class Background:
    """The thread that builds, while there is something to build."""

    def __init__(self) -> None:
        self._begin()
        os.register_at_fork(after_in_child=self._begin)
        atexit.register(self.stop)

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._jobs: deque[Job] = deque()
        self._thread: threading.Thread | None = None

    @property
    def is_busy(self) -> bool:
        return self._thread is not None

    def submit(self, work: Callable[[], None]) -> Job:
        """Have something done; it is done at once where no thread can be started."""
        job = Job(work)
        with self._lock:
            self._jobs.append(job)
            if self._thread is not None:
                return job
            self._thread = threading.Thread(target=self._run, name="minits-build", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            self._run()
        return job

    def _run(self) -> None:
        while not ENDING.is_set():
            with self._lock:
                if not self._jobs:
                    self._thread = None
                    return
                job = self._jobs.popleft()
            with FORKS.held_back():
                job.run()

    def stop(self) -> None:
        """End the thread and the compiler that it waits for."""
        ENDING.set()
        thread = self._thread
        if thread is not None:
            thread.join(10)


BACKGROUND = Background()
