"""Selection of faults by code, by file, and by comments at their lines; each is reported once.

A code counts if the longest of the given beginnings that it has is selected: with `--select TS4
--ignore TS40`, TS402 does not, and TS410 does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pathspec import GitIgnoreSpec

from minits.check.files import path_in_project
from minits.check.results import FileResult, fault_key
from minits.check.settings import Settings
from minits.diagnostics import Diagnostic
from minits.source import SourceRange

_COMMENT = re.compile(r"#\s*minits:\s*ignore\b(?:\s*\[(?P<codes>[^\]#]*)\])?")


def select_faults(results: Iterable[FileResult], settings: Settings) -> None:
    """Leave in the results what is to be reported.

    A fault that several files lead to is reported for the first of them.
    """
    selection = Selection(settings)
    known: set[tuple[str, int, int, str]] = set()
    for result in results:
        kept: list[Diagnostic] = []
        for each in result.diagnostics:
            if fault_key(each) not in known and selection.reports(each, result.path):
                known.add(fault_key(each))
                kept.append(each)
        result.diagnostics = kept


class Selection:
    """The faults that settings, and comments beside them, leave to be reported."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._by_file = [
            (GitIgnoreSpec.from_lines([glob]), codes)
            for glob, codes in settings.per_file_ignores.items()
        ]

    def reports(self, fault: Diagnostic, checked: str) -> bool:
        """Return whether a fault is reported; `checked` is its file if it has no place."""
        filename = fault.range.source.filename if fault.range else checked
        ignored = [*self._ignored_in(filename), *codes_ignored_at(fault.range)]
        return is_selected(fault.code, self.settings, ignored)

    def _ignored_in(self, filename: str) -> list[str]:
        relative = path_in_project(filename, self.settings.root)
        return [
            code for spec, codes in self._by_file if spec.match_file(relative) for code in codes
        ]


def is_selected(code: str, settings: Settings, ignored: Iterable[str] = ()) -> bool:
    """Return whether faults of a code are reported; `ignored` are further beginnings of codes."""
    if any(code.startswith(each) for each in ignored):
        return False
    return _longest(code, settings.select) > _longest(code, settings.ignore)


def _longest(code: str, beginnings: Iterable[str]) -> int:
    return max((len(each) for each in beginnings if code.startswith(each)), default=-1)


def codes_ignored_at(loc: SourceRange | None) -> list[str]:
    """Return beginnings of codes that comments ignore on the first or last line of a range.

    `# minits: ignore` ignores all, which is one empty beginning.
    """
    if loc is None:
        return []
    lines = {loc.source.line(each.line) for each in (loc.begin, loc.finish)}
    codes: list[str] = []
    for comment in (each for line in lines for each in _COMMENT.finditer(line)):
        named = comment["codes"]
        codes += [""] if named is None else named.replace(",", " ").split()
    return codes
