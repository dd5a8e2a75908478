"""The implementations that can be measured, behind one small interface.

An implementation is named on the command line: `torch`, `minits`, or `module:Class` of anybody's
(docs/measure-your-implementation.md). `Adapter` has all that such a class need not write itself.
"""

from __future__ import annotations

import importlib
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from conformance.case import Call

NAMES = {
    "torch": "conformance.torch_implementation:TorchJit",
    "minits": "conformance.minits_implementation:Minits",
}


@dataclass(frozen=True, slots=True)
class FunctionText:
    """One compiled function or method: its qualified name, canonical graph and `.code`."""

    name: str
    graph: str
    code: str


@dataclass(frozen=True, slots=True)
class CompileFault:
    """The refusal of a program: its reason and its `line`, None where that is not told."""

    kind: str
    message: str
    file: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class RunFault:
    """The reason for which a call raised.

    kind: "arguments" (they do not fit the signature), "raised" (by the program's own `raise` or
    `assert`), "failed" (an operator could not do its work).
    """

    kind: str
    message: str
    lines: tuple[tuple[str, int], ...] = ()
    """The traceback's files and lines, callers first."""


class Implementation(Protocol):
    """The interface of a compiler that the suite needs."""

    def version(self) -> str:
        """Name and version, such as `torch 2.13.0`."""

    def compile(self, program: Any) -> Any:
        """Compile a function, class or module; raise whatever the compiler raises."""

    def trace(self, program: Any, example: Any, **options: Any) -> Any:
        """Run a program once and return what was recorded; raise whatever the tracer raises.

        `example`: the arguments, or a dict of them by the names of methods.
        """

    def freeze(self, program: Any, **options: Any) -> Any:
        """Compile a module and freeze it; raise whatever either raises."""

    def compile_fault(self, error: Exception) -> CompileFault | None:
        """Explain an error of `compile`; None if it is no refusal but a defect of the compiler."""

    def functions(self, compiled: Any) -> Iterator[FunctionText]:
        """Every function that was compiled for the program, callers before callees."""

    def call(self, compiled: Any, call: Call) -> Any:
        """Run; raise whatever the implementation raises."""

    def run_fault(self, error: Exception) -> RunFault | None:
        """Explain an error of `call`; None if it is a defect of the implementation."""

    def ran_as(self, compiled: Any) -> list[str]:
        """The ways in which its calls ran, one for each plan, as `report.AS_C`, or why not."""


class UnknownImplementation(LookupError):
    """No implementation has the name; the message says why."""


class Adapter:
    """A base for adapters: `compile` is left to write, and what else an implementation can do.

    Without `functions`, the level of what can be measured is "outputs" (`levels.py`).
    """

    def version(self) -> str:
        """Name and version; the class's name, unless it is told."""
        return type(self).__name__

    def compile(self, program: Any) -> Any:
        """Compile a function, class or module; raise whatever the compiler raises."""
        raise NotImplementedError(f"{type(self).__name__} has no compile()")

    def trace(self, program: Any, example: Any, **options: Any) -> Any:
        """Fail: there is no tracer."""
        raise NotImplementedError(f"{type(self).__name__} has no trace()")

    def freeze(self, program: Any, **options: Any) -> Any:
        """Fail: nothing can be frozen."""
        raise NotImplementedError(f"{type(self).__name__} has no freeze()")

    def save(self, compiled: Any, file: Any) -> None:
        """Write an archive; needed by `archives` alone."""
        raise NotImplementedError(f"{type(self).__name__} has no save()")

    def load(self, file: Any) -> Any:
        """Read an archive; needed by `archives --reader again` alone."""
        raise NotImplementedError(f"{type(self).__name__} has no load()")

    def install(self) -> None:
        """Put the implementation in the place of torch.jit; needed by `upstream` alone."""
        raise NotImplementedError(f"{type(self).__name__} has no install()")

    def compile_fault(self, error: Exception) -> CompileFault | None:
        """Take each error for a refusal at no line."""
        return CompileFault(type(error).__name__, str(error), None, None)

    def functions(self, compiled: Any) -> Iterator[FunctionText]:
        """Tell nothing of graphs and code."""
        return iter(())

    def call(self, compiled: Any, call: Call) -> Any:
        """Call the compiled program as Python does, or the method of it that is named."""
        target = compiled
        if call.method != "forward":
            target = getattr(compiled, call.method)
        return target(*call.args, **call.kwargs)

    def run_fault(self, error: Exception) -> RunFault | None:
        """Tell the program's own `raise` and `assert` from arguments that do not fit, and others.

        They are told apart by the innermost line of the traceback that is no line of torch.
        """
        frames = list(traceback.extract_tb(error.__traceback__))
        lines = tuple((each.filename, each.lineno or 0) for each in frames)
        if frames and frames[-1].line and frames[-1].line.startswith(("raise", "assert")):
            return RunFault("raised", f"{type(error).__name__}: {error}", lines)
        if isinstance(error, TypeError) and frames and frames[-1].name == "call":
            return RunFault("arguments", str(error), lines)
        return RunFault("failed", f"{type(error).__name__}: {error}", lines)

    def ran_as(self, compiled: Any) -> list[str]:
        """Tell nothing of how calls ran."""
        return []


def implementation(name: str) -> Implementation:
    """Find an implementation by its name or by `module:Class`.

    Raises `UnknownImplementation`, with the reason.
    """
    module, _, attribute = NAMES.get(name, name).partition(":")
    if not attribute:
        names = ", ".join(NAMES)
        raise UnknownImplementation(f"no implementation {name!r}: use {names} or module:Class")
    try:
        cls = getattr(importlib.import_module(module), attribute)
    except ImportError as why:
        raise UnknownImplementation(f"{name}: {why}") from None
    except AttributeError:
        raise UnknownImplementation(f"{name}: the module has no {attribute}") from None
    found: Implementation = cls()
    return found
