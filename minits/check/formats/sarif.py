"""SARIF 2.1.0: the format of GitHub's code scanning, and of editors.

Paths are relative to the working folder (`%SRCROOT%`), which for GitHub is the repository's root.
Source: docs.oasis-open.org/sarif/sarif/v2.1.0
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from minits.check.formats.places import full_message, place_of
from minits.check.results import FileResult
from minits.diagnostics import Diagnostic, Note
from minits.short_names import with_short_names
from minits.source import SourceRange
from minits.terminal_text import printable

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"


def as_sarif(results: list[FileResult]) -> str:
    """Return the document of one run."""
    from minits import __version__

    found = [each for result in results for each in result.diagnostics]
    codes = sorted({each.code for each in found})
    run = {
        "tool": {
            "driver": {
                "name": "minits",
                "version": __version__,
                "rules": [{"id": code, "name": code} for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": f"{Path.cwd().as_uri()}/"}},
        "results": [_result(each, codes.index(each.code)) for each in found],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _result(each: Diagnostic, rule: int) -> dict[str, Any]:
    notes = [*each.notes, *(Note(str(caller), caller.range) for caller in each.callers)]
    value: dict[str, Any] = {
        "ruleId": each.code,
        "ruleIndex": rule,
        "level": "error" if each.is_error else "warning",
        "message": {"text": printable(full_message(each))},
    }
    if each.range is not None:
        value["locations"] = [_location(each.range)]
        value["partialFingerprints"] = {"minits/v1": _fingerprint(each)}
    related = [
        {**_location(note.range), "message": {"text": printable(with_short_names(note.message))}}
        for note in notes
        if note.range is not None
    ]
    return value | ({"relatedLocations": related} if related else {})


def _location(loc: SourceRange) -> dict[str, Any]:
    place = place_of(loc)
    path = Path(place.file)
    artifact = {"uri": path.as_uri()} if path.is_absolute() else {
        "uri": quote(os.fsencode(path.as_posix())), "uriBaseId": _ROOT
    }  # fmt: skip
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _fingerprint(each: Diagnostic) -> str:
    """Return a hash that stays the same when the fault moves to another line."""
    assert each.range is not None
    line = each.range.source.line(each.range.begin.line).strip()
    text = f"{each.code} {each.message} {line}"
    return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()[:32]
