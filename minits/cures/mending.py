"""Mending a file: check it, make the edits of its faults, and check it again.

An edit may overlap another, and a fault may hide others, so that this is done until there is
nothing left to edit. A round after which Python cannot read the text any more is taken back.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable

from minits.cures.applying import applied
from minits.diagnostics import Diagnostic
from minits.records import dataclass
from minits.source import SourceFile

_MOST_ROUNDS = 20
_SYNTAX = "TS0"
"""The beginning of the codes of what is no Python."""

Check = Callable[[str], Iterable[Diagnostic]]
"""Returns the faults of a text."""


@dataclass(frozen=True, slots=True)
class Mended:
    """The result for a file: its new text, the faults whose edits were made, and those left."""

    before: SourceFile
    text: str
    mended: tuple[Diagnostic, ...]
    left: tuple[Diagnostic, ...]

    def diff(self, name: str | None = None) -> str:
        """Return the change as a unified diff of the file `name`; empty if there is none."""
        name = name or self.before.filename
        old, new = self.before.text.splitlines(keepends=True), self.text.splitlines(keepends=True)
        return "".join(map(_line, difflib.unified_diff(old, new, name, name)))


def _line(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def mend(source: SourceFile, check: Check, *, unsafe: bool = False) -> Mended:
    """Make the edits of a file's faults, and of the faults that are found then.

    unsafe: make edits that are not safe, too.
    """
    text = source.text
    mended: list[Diagnostic] = []
    left = tuple(check(text))
    for _ in range(_MOST_ROUNDS):
        new, done = applied(SourceFile(source.filename, text), left, unsafe=unsafe)
        if new == text:
            break
        found = tuple(check(new))
        if _is_broken(found) and not _is_broken(left):
            break
        text, left = new, found
        mended += done
    return Mended(source, text, tuple(mended), left)


def _is_broken(faults: Iterable[Diagnostic]) -> bool:
    return any(each.code.startswith(_SYNTAX) and each.code != "TS012" for each in faults)
