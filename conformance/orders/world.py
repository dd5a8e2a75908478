"""One process: programs are found in it, and steps are taken."""

from __future__ import annotations

import contextlib
import importlib
import sys
from random import Random
from typing import Any

import torch

from conformance.case import CASES, Case
from conformance.case import Program as CaseProgram
from conformance.foreign.programs import Foreign
from conformance.orders import steps
from conformance.orders.changes import Undo, bindings, changed
from conformance.orders.shown import made, shown


class World:
    """The programs that were found, and what is to be undone."""

    def __init__(self) -> None:
        self.first: dict[str, Any] = {}
        self.now: dict[str, Any] = {}
        self.undone: list[Undo] = []

    def take(self, step: steps.Step) -> str | None:
        """Take a step; return what a compilation shows, else None."""
        if isinstance(step, steps.Compile):
            return self.compile(step)
        if isinstance(step, steps.Load):
            self._load(step.program)
        elif isinstance(step, steps.Import):
            self._import(step.module)
        elif isinstance(step, steps.Change):
            self._change(step)
        elif isinstance(step, steps.Restore) and self.undone:
            self.undone.pop()()
        elif isinstance(step, steps.DefaultDtype):
            torch.set_default_dtype(getattr(torch, step.name))
        return None

    def find(self, name: str, held: bool = False) -> Any:
        """Return a case's program, or a foreign function or class."""
        if name not in self.now:
            self.first[name] = self.now[name] = _found(name)
        return (self.first if held else self.now)[name]

    def prepare(self, step: steps.Compile) -> None:
        """Find a program, for all that come later."""
        with contextlib.suppress(Exception):  # told when it is compiled
            self.find(step.program)

    def compile(self, step: steps.Compile) -> str:
        try:
            found = self.find(step.program, step.held)
        except Exception as error:  # a module that cannot be imported, after a change
            return f"not found: {type(error).__name__}"
        return shown(found, step.dialect)

    def _load(self, name: str) -> None:
        self.find(name)
        if not name.startswith("case "):
            try:
                importlib.reload(sys.modules[Foreign.parse(name).module])
            except Exception:  # not every module can be loaded again
                return
        self.now[name] = _found(name)

    def _import(self, module: str) -> None:
        try:
            importlib.import_module(module)
        except Exception:  # it is not installed, or it does not like what was changed
            return

    def _change(self, step: steps.Change) -> None:
        """Change one of the program's bindings: its number and what is bound there are drawn."""
        random = Random(step.number)
        try:
            program = self.find(step.program)
            target = made(program)
        except Exception:
            return
        found = bindings(target)
        if isinstance(program, CaseProgram):
            found += [each for each in _of_file(program) if each not in found]
        for binding in random.sample(found, len(found)):
            undo = changed(binding, found, random)
            if undo is not None:
                self.undone.append(undo)
                return


def _of_file(program: CaseProgram) -> list[Any]:
    """The bindings that the classes and functions of a case's file depend on."""
    own = [
        value
        for value in vars(program.module).values()
        if getattr(value, "__module__", None) == program.module.__name__
    ]
    return [binding for value in own for binding in bindings(value)]


def _found(name: str) -> Any:
    if not name.startswith("case "):
        return Foreign.parse(name).find()
    path = CASES / f"{name.removeprefix('case ')}.py"
    return Case(path, CASES).load()
