"""Files and lines of faults, as the formats write them."""

from __future__ import annotations

from typing import NamedTuple

from minits.check.files import display_path
from minits.diagnostics import Diagnostic, Note
from minits.short_names import with_short_names
from minits.source import SourceRange


class Place(NamedTuple):
    """A range of a file. Lines and columns count from 1; `end_column` is behind the range."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


def place_of(loc: SourceRange) -> Place:
    """Return a range with the file's name relative to the working folder.

    Columns count characters.
    """
    source, begin, finish = loc.source, loc.begin, loc.finish
    starts = source.line_starts
    return Place(
        display_path(source.filename),
        begin.line,
        loc.start - starts[begin.line - source.first_line] + 1,
        finish.line,
        loc.end - starts[finish.line - source.first_line] + 1,
    )


def advice(diagnostic: Diagnostic) -> list[str]:
    """Return the lines below a message: notes, callers, and the cure."""
    lines = [_note(note) for note in diagnostic.notes]
    lines += [_note(Note(str(each), each.range)) for each in diagnostic.callers]
    return [*lines, *([f"help: {with_short_names(diagnostic.fix)}"] if diagnostic.fix else [])]


def full_message(diagnostic: Diagnostic) -> str:
    """Return the message, and the advice on lines of their own."""
    return "\n".join([with_short_names(diagnostic.message), *advice(diagnostic)])


def _note(note: Note) -> str:
    if note.range is None:
        return f"note: {with_short_names(note.message)}"
    place = place_of(note.range)
    return f"{place.file}:{place.line}:{place.column}: note: {with_short_names(note.message)}"
