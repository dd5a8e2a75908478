"""Run tasks in processes of their own, so that a crash or a hang costs one task only.

A fork server imports torch and what the work needs once; each task is then a fork of it. With the
address of a Dask scheduler, the forks are made by the workers of its cluster (`cluster.py`).
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from conformance.case import Case
from conformance.implementations import NAMES, implementation
from conformance.observation import Observation

TIMEOUT = 120.0
"""Seconds that one case may take."""

LATE = "no end within the time limit"
T = TypeVar("T")
Send = Callable[[Any], None]
Work = Callable[[T, Send], None]
"""A function of a module, which does a task and sends what it finds; both are pickled."""


@dataclass(slots=True)
class Ended(Generic[T]):
    """A task that is over: what its process sent, and why it sent no more if it was lost."""

    task: T
    sent: list[Any] = field(default_factory=list)
    lost: str | None = None


@dataclass(slots=True)
class _Running(Generic[T]):
    ended: Ended[T]
    process: BaseProcess
    pipe: Connection
    deadline: float


def run_cases(
    cases: list[Case],
    name: str,
    jobs: int = 1,
    timeout: float = TIMEOUT,
    scheduler: str | None = None,
) -> Iterator[tuple[Case, Observation]]:
    """Observe each case with the implementation `name`, `jobs` at a time; yield as they finish."""
    first = ["conformance.sanitizers"] if "conformance.sanitizers" in sys.modules else []
    preload = [*first, "conformance.observe", NAMES.get(name, name).partition(":")[0]]
    work = partial(_observe, name)
    for ended in run_tasks(work, cases, jobs, timeout, preload, scheduler):
        seen = ended.sent[0] if ended.sent else Observation(name, crash=ended.lost)
        yield ended.task, seen


def _observe(name: str, case: Case, send: Send) -> None:
    """Observe a case, and send the observation: the work of the child process."""
    from conformance.observe import observe

    sanitizers = sys.modules.get("conformance.sanitizers")
    if sanitizers is not None:
        sanitizers.watch()
    seen = observe(case, implementation(name))
    if sanitizers is not None and sanitizers.has_leaks():
        seen.crash = "memory is lost: see stderr"
    send(seen)


def run_tasks(
    work: Work[T],
    tasks: Sequence[T],
    jobs: int = 1,
    timeout: float = TIMEOUT,
    preload: Sequence[str] = (),
    scheduler: str | None = None,
) -> Iterator[Ended[T]]:
    """Do each task in a process of its own, `jobs` at a time; yield as they end.

    A process that sends nothing for `timeout` seconds is killed. `preload` names the modules that
    all tasks need. `scheduler` is the address of a Dask scheduler, whose workers then do the tasks.
    """
    if scheduler is not None:
        from conformance.cluster import run_on_cluster

        yield from run_on_cluster(scheduler, work, tasks, timeout, preload)
        return
    context = _context(preload)
    waiting = list(reversed(tasks))
    running: list[_Running[T]] = []
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                running.append(_start(context, work, waiting.pop(), timeout))
            wait([each.pipe for each in running], timeout=0.5)
            for each in list(running):
                if _is_over(each, timeout):
                    running.remove(each)
                    yield each.ended
    finally:
        for each in running:
            each.process.kill()


def _context(preload: Sequence[str]) -> multiprocessing.context.BaseContext:
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(preload))
    return context


def _start(
    context: multiprocessing.context.BaseContext, work: Work[T], task: T, timeout: float
) -> _Running[T]:
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(work, task, sender), daemon=True)  # type: ignore[attr-defined]
    process.start()
    sender.close()
    return _Running(Ended(task), process, receiver, time.monotonic() + timeout)


def _work(work: Work[T], task: T, pipe: Connection) -> None:
    work(task, pipe.send)
    pipe.close()


def _is_over(each: _Running[T], timeout: float) -> bool:
    """Take what a process has sent; return whether it is over, by itself or since it took long."""
    try:
        while each.pipe.poll():
            each.ended.sent.append(each.pipe.recv())
            each.deadline = time.monotonic() + timeout
    except EOFError:
        each.process.join()
        if each.process.exitcode:
            each.ended.lost = f"the process died: exit code {each.process.exitcode}"
        return True
    if time.monotonic() > each.deadline:
        each.process.kill()
        each.process.join()
        each.ended.lost = LATE
        return True
    return False
