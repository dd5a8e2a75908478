"""Results as JSON values, and back.

A range is stored with the lines that it is in, so that a diagnostic that is read back shows the
same text without a look at its file:

    ["model.py", 4, "    return x + 1\\n", 11, 16]
"""

from __future__ import annotations

from typing import Any

from minits.check.results import FileResult, Unchecked
from minits.diagnostics import Caller, Diagnostic, Note
from minits.edits import Edit, Replacement
from minits.source import SourceFile, SourceRange


def result_as_json(result: FileResult) -> dict[str, Any]:
    """Return a value of dicts, lists, strings and numbers."""
    return {
        "path": result.path,
        "programs": result.programs,
        "diagnostics": [_diagnostic_as_json(each) for each in result.diagnostics],
        "unchecked": [[each.name, each.reason, each.line] for each in result.unchecked],
        "internal": result.internal,
    }


def result_from_json(stored: dict[str, Any]) -> FileResult:
    """Return the result of such a value. Raises `LookupError`, `TypeError`, `ValueError`."""
    return FileResult(
        stored["path"],
        stored["programs"],
        [_diagnostic(each) for each in stored["diagnostics"]],
        [Unchecked(*each) for each in stored["unchecked"]],
        stored["internal"],
    )


def _diagnostic_as_json(each: Diagnostic) -> dict[str, Any]:
    return {
        "range": _range_as_json(each.range),
        "code": each.code,
        "message": each.message,
        "notes": [[note.message, _range_as_json(note.range)] for note in each.notes],
        "fix": each.fix,
        "severity": each.severity,
        "edit": _edit_as_json(each.edit),
        "callers": [[c.function, c.caller, _range_as_json(c.range)] for c in each.callers],
    }


def _diagnostic(stored: dict[str, Any]) -> Diagnostic:
    return Diagnostic(
        _range(stored["range"]),
        stored["code"],
        stored["message"],
        tuple(Note(message, _range(loc)) for message, loc in stored["notes"]),
        stored["fix"],
        stored["severity"],
        tuple(Caller(name, by, _range(loc)) for name, by, loc in stored["callers"]),
        _edit(stored["edit"]),
    )


def _edit_as_json(edit: Edit | None) -> list[Any] | None:
    if edit is None:
        return None
    return [[[_range_as_json(loc), text] for loc, text in edit.replacements], edit.is_safe]


def _edit(stored: list[Any] | None) -> Edit | None:
    """Return an edit, whose ranges are those of the lines that are stored with them."""
    if stored is None:
        return None
    replacements, is_safe = stored
    found = ((_range(loc), text) for loc, text in replacements)
    return Edit(tuple(Replacement(loc, text) for loc, text in found if loc), is_safe)


def _range_as_json(loc: SourceRange | None) -> list[Any] | None:
    if loc is None:
        return None
    source, line = loc.source, loc.begin.line
    starts = source.line_starts
    start = starts[line - source.first_line]
    following = loc.finish.line - source.first_line + 1
    end = starts[following] if following < len(starts) else len(source.text)
    return [source.filename, line, source.text[start:end], loc.start - start, loc.end - start]


def _range(stored: list[Any] | None) -> SourceRange | None:
    if stored is None:
        return None
    filename, line, text, start, end = stored
    return SourceRange(SourceFile(filename, text, line), start, end)
