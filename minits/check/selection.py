"""Selection of faults by code, and by file and code; each fault is reported once.

A code counts if the longest of the given beginnings that it has is selected: with `--select TS4
--ignore TS40`, TS402 does not, and TS410 does.
"""

from __future__ import annotations

from collections.abc import Iterable

from pathspec import GitIgnoreSpec

from minits.check.files import path_in_project
from minits.check.results import FileResult, fault_key
from minits.check.settings import Settings
from minits.diagnostics import Diagnostic


def select_faults(results: Iterable[FileResult], settings: Settings) -> None:
    """Leave in the results what is to be reported.

    A fault that several files lead to is reported for the first of them.
    """
    ignores = [
        (GitIgnoreSpec.from_lines([glob]), codes)
        for glob, codes in settings.per_file_ignores.items()
    ]
    known: set[tuple[str, int, int, str]] = set()
    for result in results:
        kept: list[Diagnostic] = []
        for each in result.diagnostics:
            ignored = _ignored_in(_file_of(each, result), settings, ignores)
            if fault_key(each) not in known and is_selected(each.code, settings, ignored):
                known.add(fault_key(each))
                kept.append(each)
        result.diagnostics = kept


def is_selected(code: str, settings: Settings, ignored: Iterable[str] = ()) -> bool:
    """Return whether faults of a code are reported; `ignored` are further beginnings of codes."""
    if any(code.startswith(each) for each in ignored):
        return False
    return _longest(code, settings.select) > _longest(code, settings.ignore)


def _longest(code: str, beginnings: Iterable[str]) -> int:
    return max((len(each) for each in beginnings if code.startswith(each)), default=-1)


def _file_of(diagnostic: Diagnostic, result: FileResult) -> str:
    return diagnostic.range.source.filename if diagnostic.range else result.path


def _ignored_in(
    filename: str, settings: Settings, ignores: list[tuple[GitIgnoreSpec, list[str]]]
) -> list[str]:
    relative = path_in_project(filename, settings.root)
    return [code for spec, codes in ignores if spec.match_file(relative) for code in codes]
