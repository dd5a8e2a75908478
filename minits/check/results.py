"""The answer of a check: the programs of a file, their faults, and what was not checked."""

from __future__ import annotations

from collections.abc import Iterable

from minits.diagnostics import Diagnostic
from minits.records import dataclass, field


class NoProgram(Exception):
    """Raised where a name that is to be checked is not in its file, or cannot be compiled."""


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A class or function that was not compiled, and why."""

    name: str
    reason: str
    line: int = 1


@dataclass(eq=False, slots=True)
class FileResult:
    """All that a check has found in one file.

    path: absolute, or `<stdin>`.
    programs: the names of what was compiled.
    internal: what minits itself failed with, if it did.
    """

    path: str
    programs: list[str] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    internal: list[str] = field(default_factory=list)

    def add(self, found: Iterable[Diagnostic]) -> None:
        """Add faults, but for those that are there: with the same code, at the same place."""
        known = {fault_key(each) for each in self.diagnostics}
        for each in found:
            if fault_key(each) not in known:
                known.add(fault_key(each))
                self.diagnostics.append(each)


def fault_key(diagnostic: Diagnostic) -> tuple[str, int, int, str]:
    """Return the file, line, column and code of a fault, which tell faults apart."""
    if diagnostic.range is None:
        return diagnostic.message, 0, 0, diagnostic.code
    line, column = diagnostic.range.begin
    return diagnostic.range.source.filename, line, column, diagnostic.code
