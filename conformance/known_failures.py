"""Failures of an implementation that are known: a file for each, which its runs are held to.

A line is `CASE MEASURE: REASON`. CASE and MEASURE may be patterns as of file names, so that one
line lists a whole chapter: `freezing/* *: nothing can be frozen`.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from conformance.compare import Verdict

OF_MINITS = Path(__file__).with_name("known_failures.txt")
_LONGEST = 160
Known = dict[tuple[str, str], str]
"""Reasons by the patterns of cases and measures."""


class UnreadableList(ValueError):
    """A list of known failures cannot be read; the message has its place."""


def read_known_failures(path: Path) -> Known:
    """Return what a file lists. Raises `UnreadableList`."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as why:
        raise UnreadableList(f"{path}: {why}") from None
    known: Known = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        where, colon, reason = line.partition(": ")
        words = where.split()
        if not colon or len(words) != 2:
            raise UnreadableList(f"{path}:{number}: a line is `CASE MEASURE: REASON`")
        known[words[0], words[1]] = reason
    return known


def write_known_failures(path: Path, verdicts: Iterable[Verdict], implementation: str) -> int:
    """Write all that fails to a file, each with the last line of its reason; return the number."""
    lines = [
        f"{verdict.case} {measure}: {_shown(reason)}"
        for verdict in verdicts
        for measure, reason in verdict.reasons.items()
    ]
    head = f"# What {implementation} is known to fail: `CASE MEASURE: REASON`, patterns allowed."
    path.write_text("\n".join([head, *lines]) + "\n", "utf-8")
    return len(lines)


def _shown(reason: str) -> str:
    return (reason.strip().splitlines() or ["it fails"])[-1].strip()[:_LONGEST]


def regressions(verdicts: Iterable[Verdict], known: Known) -> tuple[list[str], list[str]]:
    """Return failures that are not known, and known ones that no longer happen."""
    new: dict[str, list[str]] = {}
    passes: dict[tuple[str, str], bool] = {}
    for verdict in verdicts:
        for measure, passed in verdict.results.items():
            lines = [line for line in known if _matches(line, verdict.case, measure)]
            for line in lines:
                passes[line] = passes.get(line, True) and passed
            if not passed and not lines:
                new.setdefault(verdict.case, []).append(measure)
    mended: dict[str, list[str]] = {}
    for (case, measure), passed in passes.items():
        if passed:
            mended.setdefault(case, []).append(measure)
    return _sentences(new), _sentences(mended)


def _matches(line: tuple[str, str], case: str, measure: str) -> bool:
    return fnmatchcase(case, line[0]) and fnmatchcase(measure, line[1])


def _sentences(found: dict[str, list[str]]) -> list[str]:
    return [f"{case}: {', '.join(measures)}" for case, measures in found.items()]
