"""Faults that are known: a baseline lets a project mend old faults later, and see new ones now.

The file lists faults by their file, code, message and line of text, not by line numbers, which
change with every edit above:

    {"version": 1, "faults": [{"file": "src/net.py", "code": "TS302", "message": "...",
                               "text": "return torch.softmaxx(x, 1)", "count": 1}]}
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from minits.check.files import path_in_project
from minits.check.results import FileResult
from minits.check.settings import SettingsError
from minits.diagnostics import Diagnostic

_VERSION = 1
Key = tuple[str, str, str, str]


def read_baseline(path: Path) -> Counter[Key]:
    """Return how many faults of each kind are known. Raises `SettingsError`."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["version"] != _VERSION:
            raise SettingsError(f"{path} is a baseline of another version of minits")
        known: Counter[Key] = Counter()
        for each in stored["faults"]:
            known[each["file"], each["code"], each["message"], each["text"]] += each["count"]
        return known
    except OSError as problem:
        raise SettingsError(
            f"cannot read {path}: {problem.strerror}; --write-baseline writes it"
        ) from None
    except (ValueError, LookupError, TypeError):
        raise SettingsError(f"{path} is no baseline that --write-baseline has written") from None


def write_baseline(path: Path, results: Iterable[FileResult]) -> int:
    """Write all faults as known ones, and return how many. Raises `SettingsError`."""
    root = path.resolve().parent
    found = Counter(_key(each, root) for result in results for each in result.diagnostics)
    faults = [
        {"file": file, "code": code, "message": message, "text": text, "count": count}
        for (file, code, message, text), count in sorted(found.items())
    ]
    try:
        path.write_text(
            json.dumps({"version": _VERSION, "faults": faults}, indent=1) + "\n", encoding="utf-8"
        )
    except OSError as problem:
        raise SettingsError(f"cannot write {path}: {problem.strerror}") from None
    return sum(found.values())


def drop_known(path: Path, results: Iterable[FileResult]) -> tuple[int, int]:
    """Leave new faults in the results.

    Return how many were known, and how many of the baseline were not found again.
    Raises `SettingsError` where the baseline cannot be read.
    """
    known, root = read_baseline(path), path.resolve().parent
    dropped = 0
    for result in results:
        kept = []
        for each in result.diagnostics:
            key = _key(each, root)
            if known[key] > 0:
                known[key] -= 1
                dropped += 1
            else:
                kept.append(each)
        result.diagnostics = kept
    return dropped, sum(known.values())


def _key(diagnostic: Diagnostic, root: Path) -> Key:
    if diagnostic.range is None:
        return "", diagnostic.code, diagnostic.message, ""
    source, line = diagnostic.range.source, diagnostic.range.begin.line
    text = source.line(line).strip()
    return path_in_project(source.filename, root), diagnostic.code, diagnostic.message, text
