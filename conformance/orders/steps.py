"""The steps of a process: programs are compiled, and things change between.

A program is named by its place: `case lists/append` is a case of the suite, `torch.nn.init:zeros_`
a foreign one (`conformance.foreign.programs`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Compile:
    """Compile a program; `held`: as it was found first, whatever was loaded again since."""

    program: str
    dialect: str = "torch"
    held: bool = False


@dataclass(frozen=True, slots=True)
class Load:
    """Execute the file of a program again: its functions, classes and globals are new ones."""

    program: str


@dataclass(frozen=True, slots=True)
class Import:
    """Import a module of torch's or of an installed package."""

    module: str


@dataclass(frozen=True, slots=True)
class Change:
    """Change one of the things that a program depends on (`changes.py`).

    number: which of them, and how.
    """

    program: str
    number: int


@dataclass(frozen=True, slots=True)
class Restore:
    """Undo the last change that has not been undone."""


@dataclass(frozen=True, slots=True)
class DefaultDtype:
    """Call `torch.set_default_dtype`."""

    name: str


Step = Compile | Load | Import | Change | Restore | DefaultDtype
History = tuple[Step, ...]
