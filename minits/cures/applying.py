"""Edits made in a text.

    "xs = []\n"    with    Edit((Replacement(<behind xs>, ": List[int]"),))
    "xs: List[int] = []\n"

A range may be of a part of the file, such as the lines of one function: its place is found by line
and column, and the edit is made only where the text there is still the one that was checked.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from minits.diagnostics import Diagnostic
from minits.edits import Edit
from minits.source import Position, SourceFile


class Applied(NamedTuple):
    """A text with edits, and the faults whose edits were made."""

    text: str
    mended: tuple[Diagnostic, ...]


class _Change(NamedTuple):
    start: int
    end: int
    text: str


def applied(
    source: SourceFile, diagnostics: Iterable[Diagnostic], *, unsafe: bool = False
) -> Applied:
    """Make the edits of diagnostics in the text of their file.

    Edits of other files are left out, and so is one that overlaps another that was made. Two that
    insert the same text at one place are made once.

    unsafe: make those that are not safe, too.
    """
    made: list[_Change] = []
    mended: list[Diagnostic] = []
    for each in diagnostics:
        if each.edit is None or not (unsafe or each.edit.is_safe):
            continue
        changes = _changes(source, each.edit)
        if changes is None or any(_overlap(new, old) for new in changes for old in made):
            continue
        made += [change for change in changes if change not in made]
        mended.append(each)
    text = source.text
    for start, end, new in sorted(made, reverse=True):
        text = text[:start] + new + text[end:]
    return Applied(text, tuple(mended))


def _overlap(new: _Change, old: _Change) -> bool:
    if new == old:
        return new.start < new.end  # an insertion that two faults ask for is made once
    if new.start == new.end or old.start == old.end:
        return old.start <= new.start <= old.end or new.start <= old.start <= new.end
    return new.start < old.end and old.start < new.end


def _changes(source: SourceFile, edit: Edit) -> list[_Change] | None:
    """Return the changes of an edit by offset; None if they are not all of this text."""
    found = []
    for loc, text in edit.replacements:
        if not _is_same_file(source.filename, loc.source.filename):
            return None
        start = _offset(source, loc.begin)
        end = None if start is None else start + loc.end - loc.start
        if start is None or end is None or source.text[start:end] != loc.text:
            return None
        found.append(_Change(start, end, text))
    return found


def _is_same_file(mine: str, other: str) -> bool:
    return mine == other or Path(mine).resolve() == Path(other).resolve()


def _offset(source: SourceFile, place: Position) -> int | None:
    """Return the offset of a place in a text, None if the text is too short."""
    if not 0 <= place.line - source.first_line < len(source.line_starts):
        return None
    before = source.line(place.line).encode("utf-8", "surrogatepass")[: place.column]
    if len(before) < place.column:
        return None
    start = source.line_starts[place.line - source.first_line]
    return start + len(before.decode("utf-8", "surrogatepass"))
