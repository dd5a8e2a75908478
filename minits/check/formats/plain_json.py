"""Results as JSON: a list of faults, and what was not checked."""

from __future__ import annotations

import json
from typing import Any

from minits.check.files import display_path
from minits.check.formats.places import place_of
from minits.check.results import FileResult
from minits.diagnostics import Diagnostic
from minits.short_names import with_short_names
from minits.source import SourceRange


def as_json(results: list[FileResult]) -> str:
    """Return one JSON object."""
    value = {
        "faults": [_fault(each) for result in results for each in result.diagnostics],
        "unchecked": [
            {"file": display_path(result.path), "line": each.line, "name": each.name,
             "reason": each.reason}
            for result in results
            for each in result.unchecked
        ],
        "files": [
            {"file": display_path(result.path), "programs": result.programs} for result in results
        ],
    }  # fmt: skip
    return json.dumps(value, indent=1)


def _fault(each: Diagnostic) -> dict[str, Any]:
    notes = [(note.message, note.range) for note in each.notes]
    notes += [(str(caller), caller.range) for caller in each.callers]
    return {
        **_place(each.range),
        "severity": each.severity,
        "code": each.code,
        "message": with_short_names(each.message),
        "notes": [{**_place(loc), "message": with_short_names(text)} for text, loc in notes],
        "fix": with_short_names(each.fix) if each.fix else None,
    }


def _place(loc: SourceRange | None) -> dict[str, Any]:
    return {} if loc is None else place_of(loc)._asdict()
