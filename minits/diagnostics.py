"""Diagnostics: errors in a program, and their texts.

A program at fault raises one `CompileError` that holds every `Diagnostic` found. Codes (`TS...`)
are explained, each with a failing and a mended example, in `docs/errors.md`; their messages stand
where they are raised:

    TS0xx  text and tokens           TS5xx  control flow, returns, refinement
    TS1xx  syntax outside TorchScript  TS6xx  modules, classes and their attributes
    TS2xx  types and annotations     TS7xx  what only the extended dialect accepts
    TS3xx  names and attributes      TS8xx  inputs of the command line and of compiled functions
    TS4xx  calls and overloads       TS82x  traces
                                     TS9xx  the IR's own text
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from minits.edits import Edit
from minits.lazily import lazily, shown_as
from minits.records import dataclass, replace
from minits.source import SourceRange

excerpt: Callable[[SourceRange], list[str]] = lazily("minits.source_excerpt:excerpt")
highlight: Callable[[SourceRange], list[str]] = lazily("minits.source_excerpt:highlight")
with_short_names: Callable[[str], str] = lazily("minits.short_names:with_short_names")


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence added to a diagnostic: a hint, or another location that has to do with it."""

    message: str
    range: SourceRange | None = None


IN_EXTENDED = Note("the extended dialect accepts it: see `minits docs extensions`")
"""The note on a construct that only that dialect takes."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The reason a function is compiled: `caller` calls or names it at `range`.

    The caller of a method may be its class, all of which is compiled; `range` is then the
    statement that names the class, if any does.
    """

    function: str
    caller: str
    range: SourceRange | None

    def __str__(self) -> str:
        function, caller = map(with_short_names, (self.function, self.caller))
        return f"'{function}' is being compiled since it was called from '{caller}'"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault:

    where, which kind, what was found and expected, where that came from, and how to mend it:
    `fix` in words, `edit` as a change of the text where that can be had.
    """

    range: SourceRange | None
    code: str
    message: str
    notes: tuple[Note, ...] = ()
    fix: str | None = None
    severity: str = "error"
    callers: tuple[Caller, ...] = ()
    edit: Edit | None = None

    _repr_html_ = shown_as("diagnostic")

    @property
    def is_error(self) -> bool:
        """Return whether it makes a check fail; warnings do not."""
        return self.severity == "error"

    def render(self) -> str:
        """Return the diagnostic as a command line shows it: at most 12 lines, the first of which
        begins with the location as editors read it, with a caret under the range.
        """
        lines = [self.headline()]
        if self.range is not None:
            lines += excerpt(self.range)
        lines += self._advice()
        lines += [f"{_location(loc)}: note: {each}" for each, loc in self._located_callers()]
        return "\n".join(lines[:12])

    def headline(self) -> str:
        """Return the first line of `render()`: location, severity, message and code."""
        prefix = f"{_location(self.range)}: " if self.range else ""
        return f"{prefix}{self.severity}: {with_short_names(self.message)} [{self.code}]"

    def describe(self) -> str:
        """Return the diagnostic as the text of an exception, laid out as torch.jit's: what is wrong
        comes first, then the lines around the range, and at the end who called the function.
        """
        lines = [f"{with_short_names(self.message)} [{self.code}]{':' if self.range else ''}"]
        if self.range is not None:
            lines += highlight(self.range)
        lines += self._advice()
        for each, loc in self._located_callers():
            lines += [str(each), *highlight(loc)]
        return "\n".join(lines)

    def _located_callers(self) -> Iterator[tuple[Caller, SourceRange]]:
        """Yield the callers with their ranges; one that calls itself stands there once."""
        return ((each, each.range) for each in dict.fromkeys(self.callers) if each.range)

    def _advice(self) -> Iterator[str]:
        for note in self.notes:
            loc = f"{_location(note.range)}: " if note.range else ""
            yield f"{loc}note: {with_short_names(note.message)}"
        if self.fix:
            yield f"help: {with_short_names(self.fix)}"


def _location(loc: SourceRange) -> str:
    """`file:line:column` with a 1-based column, as editors and compilers write it."""
    line, column = loc.begin
    return f"{loc.source.filename}:{line}:{column + 1}"


class CompileError(RuntimeError):
    """A program is at fault.

    `diagnostics` holds every fault found, in source order where they have one.
    """

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]) -> None:
        if isinstance(diagnostics, Diagnostic):
            diagnostics = (diagnostics,)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__(self.diagnostics)

    _repr_html_ = shown_as("error")

    def called_from(self, function: str, caller: str, loc: SourceRange | None) -> CompileError:
        """Return the error with a further caller; raise it `from None`."""
        link = Caller(function, caller, loc)
        return type(self)(
            replace(diagnostic, callers=(*diagnostic.callers, link))
            for diagnostic in self.diagnostics
        )

    def noting(self, note: Note) -> CompileError:
        """Return the error with a further note; raise it `from None`."""
        noted = [replace(each, notes=(*each.notes, note)) for each in self.diagnostics]
        return type(self)(noted)

    def located(self, loc: SourceRange) -> CompileError:
        """Return the error with a range for the faults and callers that have none; raise it
        `from None`.
        """
        return type(self)(
            replace(
                each,
                range=each.range or loc,
                callers=tuple(replace(link, range=link.range or loc) for link in each.callers),
            )
            for each in self.diagnostics
        )

    def __str__(self) -> str:
        return "\n\n".join(diagnostic.describe() for diagnostic in self.diagnostics)


class Faults:
    """The faults of several parts of a program, of which each is compiled although others fail.

    `with faults.gathered():` around a part keeps its `CompileError`.
    """

    def __init__(self) -> None:
        self._errors: list[CompileError] = []

    def __bool__(self) -> bool:
        return bool(self._errors)

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Run a block, and keep the `CompileError` that it raises."""
        try:
            yield
        except CompileError as fault:
            self.add(fault)

    def add(self, fault: CompileError) -> None:
        self._errors.append(fault)

    def raise_all(self) -> None:
        """Raise one error with every diagnostic once, of the class of the first, if there is any.

        Raises `CompileError`.
        """
        if self._errors:
            raise _joined(self._errors) from None


def _joined(errors: Sequence[CompileError]) -> CompileError:
    """Return one error for several: with each diagnostic once, of the class of the first that has
    any; raise it `from None`.
    """
    first = next((each for each in errors if each.diagnostics), errors[0])
    if len(errors) == 1 or not first.diagnostics:
        return first
    return type(first)(each_once(found for each in errors for found in each.diagnostics))


def with_faults_of(error: CompileError, *steps: Callable[[], object]) -> CompileError:
    """Return an error with the faults of further steps, each of which is run; raise it `from None`.

    The error comes first.
    """
    errors = [error]
    for step in steps:
        try:
            step()
        except CompileError as fault:
            errors.append(fault)
        except RecursionError:  # a step may need a little more of the stack than was left
            break
    return _joined(errors)


def each_once(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics without those that tell the same of the same place.

    A function is compiled for each of its callers; the first that called it is told.
    """
    found: dict[object, Diagnostic] = {}
    for each in diagnostics:
        place = each.range and (each.range.source.filename, each.range.begin, each.range.finish)
        found.setdefault((place, each.code, each.message), each)
    return list(found.values())


class NotSupportedError(CompileError, NotImplementedError):
    """The program uses Python that is not TorchScript."""


class AnnotationError(CompileError, ValueError):
    """An annotation means no type, or stands where TorchScript takes none."""


class InvalidConstant(CompileError, TypeError):
    """An attribute that is declared constant cannot be one."""


def error(
    loc: SourceRange | None,
    code: str,
    message: str,
    *,
    notes: Iterable[Note] = (),
    fix: str | None = None,
    edit: Edit | None = None,
) -> CompileError:
    """Make a `CompileError` of one diagnostic; raise what it returns."""
    return CompileError(Diagnostic(loc, code, message, tuple(notes), fix, edit=edit))


def not_supported(
    loc: SourceRange | None,
    code: str,
    message: str,
    *,
    notes: Iterable[Note] = (),
    fix: str | None = None,
    edit: Edit | None = None,
) -> NotSupportedError:
    """Make a `NotSupportedError` of one diagnostic; raise what it returns."""
    return NotSupportedError(Diagnostic(loc, code, message, tuple(notes), fix, edit=edit))
