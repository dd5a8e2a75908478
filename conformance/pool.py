"""Run cases in processes of their own, so that a crash or a hang costs one case only.

A fork server imports torch and the implementation once; each case is then a fork of it.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from conformance.case import Case
from conformance.implementations import NAMES, implementation
from conformance.observation import Observation

TIMEOUT = 120.0
"""Seconds that one case may take."""


@dataclass(slots=True)
class _Running:
    case: Case
    process: BaseProcess
    pipe: Connection
    deadline: float


def run_cases(
    cases: list[Case], name: str, jobs: int = 1, timeout: float = TIMEOUT
) -> Iterator[tuple[Case, Observation]]:
    """Observe each case with the implementation `name`, `jobs` at a time; yield as they finish."""
    context = _context(name)
    waiting = list(reversed(cases))
    running: list[_Running] = []
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                running.append(_start(context, waiting.pop(), name, timeout))
            wait([task.pipe for task in running], timeout=0.5)
            for task in list(running):
                seen = _result(task, name)
                if seen is not None:
                    running.remove(task)
                    yield task.case, seen
    finally:
        for task in running:
            task.process.kill()


def _context(name: str) -> multiprocessing.context.BaseContext:
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    first = ["conformance.sanitizers"] if "conformance.sanitizers" in sys.modules else []
    module = NAMES.get(name, name).partition(":")[0]
    context.set_forkserver_preload([*first, "conformance.observe", module])
    return context


def _start(
    context: multiprocessing.context.BaseContext, case: Case, name: str, timeout: float
) -> _Running:
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(case, name, sender), daemon=True)  # type: ignore[attr-defined]
    process.start()
    sender.close()
    return _Running(case, process, receiver, time.monotonic() + timeout)


def _work(case: Case, name: str, pipe: Connection) -> None:
    """Observe a case, and send the observation: the work of the child process."""
    from conformance.observe import observe

    sanitizers = sys.modules.get("conformance.sanitizers")
    if sanitizers is not None:
        sanitizers.watch()
    seen = observe(case, implementation(name))
    if sanitizers is not None and sanitizers.has_leaks():
        seen.crash = "memory is lost: see stderr"
    pipe.send(seen)
    pipe.close()


def _result(task: _Running, name: str) -> Observation | None:
    """The observation of a task, or its crash or timeout; None while it is still at work."""
    seen = None
    if task.pipe.poll():
        try:
            seen = task.pipe.recv()
        except EOFError:
            task.process.join()
            seen = Observation(name, crash=f"the process died: exit code {task.process.exitcode}")
    elif time.monotonic() > task.deadline:
        task.process.kill()
        seen = Observation(name, crash="no end within the time limit")
    if seen is not None:
        task.process.join()
    return seen
