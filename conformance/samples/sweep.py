"""Check entries of torch's databases, each in a process of its own, as some operators end theirs.

What a process sends, program by program:

    ("begin", number, text)     a program is next
    ("who", name)               torch.jit or the implementation is about to run
    ("done", counts, faults)    the program has been checked
"""

from __future__ import annotations

import importlib
import os
import re
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from conformance.implementations import implementation
from conformance.pool import Ended, Send, run_tasks
from conformance.samples.check import CALLS, Check, Counts
from conformance.samples.crashes import is_known

SILENCE = 60.0
"""Seconds without a word after which a process is lost."""
TOGETHER = {"schemas": 8}
"""The number of entries that one process checks; of other sources it is one."""


SOURCES = {"database": "operators", "schemas": "schemas", "modules": "modules"}
"""Modules beside this one that programs come from, with `names` and `programs`."""


@dataclass(frozen=True, slots=True)
class Task:
    """Entries to check: their programs from number `skip` on."""

    source: str
    entries: tuple[str, ...]
    seed: int
    most: int
    implementation: str = "minits"
    calls: int = CALLS
    skip: int = 0


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of an entry's programs, or of some of them."""

    counts: Counts
    faults: tuple[str, ...] = ()
    entries: int = 0
    """Entries that are done with it."""


def _source(name: str) -> Any:
    return importlib.import_module(f"conformance.samples.{SOURCES[name]}")


def names_of(source: str, pattern: str = "", sample: int | None = None, seed: int = 0) -> list[str]:
    """Return the entries of a source that `pattern` matches, or `sample` of them, drawn by seed."""
    found = [name for name in _source(source).names() if re.search(pattern, name)]
    if sample is None or sample >= len(found):
        return found
    chosen = set(Random(f"{seed} {source}").sample(found, sample))
    return [name for name in found if name in chosen]


def tasks_of(source: str, names: Sequence[str], **options: Any) -> list[Task]:
    """Return the tasks that check entries of a source."""
    together = TOGETHER.get(source, 1)
    groups = [tuple(names[at : at + together]) for at in range(0, len(names), together)]
    return [Task(source, group, **options) for group in groups]


def sweep(tasks: Iterable[Task], jobs: int, scheduler: str | None = None) -> Iterator[Checked]:
    """Do the tasks; yield what came of them. What follows a lost program is checked anew."""
    waiting = list(tasks)
    has_samples = any(task.source != "schemas" for task in waiting)
    preload = ["conformance.samples.preload" if has_samples else "conformance.samples.schemas"]
    preload += ["conformance.samples.check", "conformance.minits_implementation"]
    while waiting:
        again: list[Task] = []
        for ended in run_tasks(work, waiting, jobs, SILENCE, preload, scheduler):
            checked, rest = outcome_of(ended)
            again += rest
            left = sum([len(task.entries) for task in rest])
            yield replace(checked, entries=len(ended.task.entries) - left)
        waiting = again


def outcome_of(ended: Ended[Task]) -> tuple[Checked, list[Task]]:
    """Return what a process found, and the tasks that are left where it was lost."""
    counts, faults = Counts(), []
    number, text, who = None, "", ""
    for kind, *rest in ended.sent:
        if kind == "begin":
            number, text = rest
        elif kind == "who":
            (who,) = rest
        else:
            counts, number = counts + rest[0], None
            faults += rest[1]
    if ended.lost is None:
        return Checked(counts, tuple(faults)), []
    if number is None:  # lost between programs: torch makes the samples
        rest = [replace(ended.task, entries=(each,), skip=0) for each in ended.task.entries]
        if len(rest) > 1:
            return Checked(counts, tuple(faults)), rest
        faults += _told_of_loss(ended.lost, f"{rest[0].entries[0]}: its samples")
        return Checked(counts + Counts(lost=1), tuple(faults)), []
    counts += Counts(programs=1, lost=int(who == "torch.jit"), outcomes=int(who != "torch.jit"))
    faults += _told_of_loss(ended.lost, text) if who == "torch.jit" else [f"{ended.lost}\n{text}"]
    return Checked(counts, tuple(faults)), [replace(ended.task, skip=number + 1)]


def _told_of_loss(how: str, program: str) -> list[str]:
    """What is told where torch.jit ended a process; nothing of operators that are known for it."""
    return [] if is_known(program) else [f"{how}, with torch.jit: see crashes.py\n{program}"]


def work(task: Task, send: Send) -> None:
    """Check the programs of a task: the work of a process."""
    from conformance.silence import silence

    silence()
    os.environ["MINITS_BUILD"] = "again"  # first calls run as users' do, and the next are planned
    made = (
        program
        for entry in task.entries
        for program in _source(task.source).programs(entry, task.seed, task.most)
    )
    measured = implementation(task.implementation)
    for number, program in enumerate(made):
        if number < task.skip:
            continue
        send(("begin", number, f"{program.name}\n{program.text}"))
        check = Check(program, measured, task.calls)
        try:
            check.run(lambda who: send(("who", who)))
        except Exception:  # of the check itself, or of the making of a module
            check.faults.append(traceback.format_exc(limit=-6))
        send(("done", check.counts, [f"{program}\n{fault}" for fault in check.faults[:1]]))
