"""What goes wrong in a program, and how it is told.

A program at fault raises one `CompileError` that holds every `Diagnostic` found. Codes (`TS...`)
are explained, each with a failing and a mended example, in `docs/errors.md`; their messages stand
where they are raised:

    TS0xx  text and tokens           TS5xx  control flow, returns, refinement
    TS1xx  syntax outside TorchScript  TS6xx  modules, classes and their attributes
    TS2xx  types and annotations     TS7xx  what only the extended dialect accepts
    TS3xx  names and attributes      TS8xx  inputs of the command line and of compiled functions
    TS4xx  calls and overloads       TS9xx  the IR's own text
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from minits.source import SourceRange


@dataclass(frozen=True, slots=True)
class Note:
    """A further fact about a diagnostic, with the place it speaks of, if any."""

    message: str
    range: SourceRange | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault:

    where, which kind, what was found and expected, where that came from, and how to mend it.
    """

    range: SourceRange | None
    code: str
    message: str
    notes: tuple[Note, ...] = ()
    fix: str | None = None
    severity: str = "error"

    def render(self) -> str:
        """Return the diagnostic as text of at most 12 lines, with the source line and a caret under
        the range.
        """
        place = f"{_place(self.range)}: " if self.range else ""
        lines = [f"{place}{self.severity}: {self.message} [{self.code}]"]
        if self.range is not None:
            lines += _excerpt(self.range)
        for note in self.notes:
            where = f"{_place(note.range)}: " if note.range else ""
            lines.append(f"{where}note: {note.message}")
        if self.fix:
            lines.append(f"help: {self.fix}")
        return "\n".join(lines[:12])


def _place(where: SourceRange) -> str:
    """`file:line:column` with a 1-based column, as editors and compilers write it."""
    line, column = where.begin
    return f"{where.source.filename}:{line}:{column + 1}"


_WIDEST = 160
"""Characters of a line that are shown; what is cut off is marked."""


def _excerpt(where: SourceRange) -> list[str]:
    source, begin, finish = where.source, where.begin, where.finish
    text = source.line(begin.line)
    start = source.line_starts[begin.line - source.first_line]
    first = where.start - start
    last = where.end - start if finish.line == begin.line else len(text)
    if len(text) > _WIDEST:
        cut = max(0, min(first - _WIDEST // 2, len(text) - _WIDEST))
        before = "..." if cut else ""
        after = "..." if cut + _WIDEST < len(text) else ""
        text = f"{before}{text[cut : cut + _WIDEST]}{after}"
        first, last = (column - cut + len(before) for column in (first, min(last, cut + _WIDEST)))
    lead = "".join("\t" if char == "\t" else " " for char in text[:first])
    return [f"    {text}", f"    {lead}{'^' * max(1, last - first)}"]


class CompileError(RuntimeError):
    """A program is at fault.

    `diagnostics` holds every fault found, in source order where they have one.
    """

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]) -> None:
        if isinstance(diagnostics, Diagnostic):
            diagnostics = (diagnostics,)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(diagnostic.render() for diagnostic in self.diagnostics)


class NotSupportedError(CompileError, NotImplementedError):
    """The program uses Python that is not TorchScript."""


def error(
    where: SourceRange | None,
    code: str,
    message: str,
    *,
    notes: Iterable[Note] = (),
    fix: str | None = None,
) -> CompileError:
    """Make a `CompileError` of one diagnostic; raise what it returns."""
    return CompileError(Diagnostic(where, code, message, tuple(notes), fix))


def not_supported(
    where: SourceRange | None, code: str, message: str, *, fix: str | None = None
) -> NotSupportedError:
    """Make a `NotSupportedError` of one diagnostic; raise what it returns."""
    return NotSupportedError(Diagnostic(where, code, message, (), fix))
