"""Check all programs of packages, in processes that may be lost."""

from __future__ import annotations

import contextlib
import importlib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from conformance.foreign.check import check
from conformance.foreign.programs import Foreign, module_names, programs
from conformance.silence import silence
from conformance.upstream.forks import Message, Send, fork

IMPORTING = 120.0
SILENCE = 60.0
"""Seconds after which a process is lost."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one program.

    kind: `both accept`, `both refuse`, `graphs differ`, `minits refuses`, `torch.jit refuses`,
    `raw exception` (of minits), `lost` (minits ended the process), `torch.jit lost`, or
    `unmakable`, of which there is no instance.
    """

    program: Foreign
    kind: str
    told: str = ""


FAULTS = ("raw exception", "lost", "minits refuses", "graphs differ", "torch.jit refuses")


def modules(package: str) -> list[str]:
    """Return the names of a package's modules; it is imported in a process of its own."""

    def work(send: Send) -> None:
        silence()
        send({"names": module_names(package)})

    return [name for found in fork(work, IMPORTING) for name in found.get("names", [])]


def listed(modules: list[str]) -> list[Foreign]:
    """Return the programs of modules, which are imported in a process of its own."""

    def work(send: Send) -> None:
        silence()
        warnings.simplefilter("ignore")
        for name in modules:
            with contextlib.suppress(Exception):  # a module that cannot be imported
                for program in programs(importlib.import_module(name)):
                    send({"program": str(program)})

    found = (message.get("program") for message in fork(work, IMPORTING))
    return [Foreign.parse(program) for program in found if program]


def sweep(module: str) -> Iterator[Outcome]:
    """Check the programs of one module."""
    for message in fork(partial(_work, module), IMPORTING):
        if "end" not in message:
            yield Outcome(Foreign.parse(message["program"]), message["kind"], message["told"])


def _work(module: str, send: Send) -> None:
    """Import a module, and check each of its programs in a fork: the work of one process."""
    silence()
    warnings.simplefilter("ignore")
    for program in list(programs(importlib.import_module(module))):
        found = outcome(program, list(fork(partial(check, program), SILENCE)))
        send({"program": str(found.program), "kind": found.kind, "told": found.told})


def _error(seen: Message) -> str | None:
    """Return the class and text of what was raised: of the program's own code, for both the same.

    `__prepare_scriptable__` of torchvision's transforms, for one, raises an error.
    """
    return str(seen["told"]).strip().rpartition("\n")[2] if seen["outcome"] == "raises" else None


def outcome(program: Foreign, messages: list[Message]) -> Outcome:
    """Return the outcome of a program, given the messages of its process."""
    seen = {each["who"]: each for each in messages if "who" in each}
    if "both" in seen:
        return Outcome(program, "unmakable", seen["both"]["told"])
    if "minits" not in seen:
        return Outcome(program, "lost", messages[-1]["end"])
    ours, theirs = seen["minits"], seen.get("torch")
    if ours["outcome"] == "raises":
        is_its_own = theirs is not None and _error(ours) == _error(theirs)
        kind = "both refuse" if is_its_own else "raw exception"
        return Outcome(program, kind, ours["told"])
    if theirs is None:
        return Outcome(program, "torch.jit lost", messages[-1]["end"])
    if ours["outcome"] == theirs["outcome"] == "refuses":
        return Outcome(program, "both refuse")
    if ours["outcome"] == "refuses":
        return Outcome(program, "minits refuses", ours["told"])
    if theirs["outcome"] != "accepts":
        return Outcome(program, "torch.jit refuses", theirs["told"])
    kind = "both accept" if ours["told"] == theirs["told"] else "graphs differ"
    return Outcome(program, kind)
