"""Warnings of compilations: a program is compiled, and is hardly what its author means.

    with collected_warnings() as found:
        minits.script(f)
    found                                   # diagnostics, with the severity "warning"

`minits check` and editors collect them. Elsewhere each is one of Python's warnings, at its line.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from minits.diagnostics import Diagnostic, Note, with_short_names
from minits.edits import Edit
from minits.source import SourceRange

_FOUND: ContextVar[list[Diagnostic] | None] = ContextVar("found", default=None)


@contextmanager
def collected_warnings() -> Iterator[list[Diagnostic]]:
    """Collect the warnings of a block in a list, which those around the block do not get."""
    found: list[Diagnostic] = []
    outer = _FOUND.get()
    _FOUND.set(found)
    try:
        yield found
    finally:
        _FOUND.set(outer)


def warning(
    loc: SourceRange,
    code: str,
    message: str,
    *,
    notes: Iterable[Note] = (),
    fix: str,
    edit: Edit | None = None,
) -> Diagnostic:
    """Make the diagnostic of a warning, for `warn`."""
    return Diagnostic(loc, code, message, tuple(notes), fix, "warning", edit=edit)


def warn(found: Diagnostic) -> None:
    """Add a warning to those that are collected, or let Python warn of it at its line."""
    collected = _FOUND.get()
    if collected is not None:
        collected.append(found)
        return
    assert found.range is not None, "a warning is of a place"
    help = f": {with_short_names(found.fix)}" if found.fix else ""
    text = f"{with_short_names(found.message)}{help} [{found.code}]"
    line = found.range.begin.line
    warnings.warn_explicit(text, UserWarning, found.range.source.filename, line)
