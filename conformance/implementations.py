"""The implementations that can be measured, behind one small interface.

An implementation is named on the command line (`torch`, `minits`) or, in tests of the suite itself,
as `module:Class`.
"""

from __future__ import annotations

import importlib
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


def implementation(name: str) -> Implementation:
    """Find an implementation by its name or by `module:Class`."""
    module, _, attribute = NAMES.get(name, name).partition(":")
    found: Implementation = getattr(importlib.import_module(module), attribute)()
    return found
