"""The rates that an implementation must reach, and the failures that are known.

A run fails if a measure is below its threshold, if a case fails a measure without being listed in
`known_failures.txt` (a regression), or if a listed failure no longer happens (strike it out).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from conformance.compare import NEGATIVE, POSITIVE, Verdict

KNOWN_FAILURES = Path(__file__).with_name("known_failures.txt")

THRESHOLDS: dict[str, dict[str, float]] = {
    "torch": dict.fromkeys((*POSITIVE, *NEGATIVE), 1.0),
    "minits": {
        "compiles": 1.0,
        "outputs": 1.0,
        "structure": 0.99,
        "ranges": 0.99,
        "names": 0.97,
        "code": 0.97,
        "raising_line": 0.99,
        "refused": 1.0,
        "line": 1.0,
        "class": 0.90,
    },
}


def rates(verdicts: Iterable[Verdict]) -> dict[str, tuple[int, int]]:
    """The number of cases that passed each measure, and of those that it applies to."""
    found: dict[str, tuple[int, int]] = {}
    for verdict in verdicts:
        for measure, passed in verdict.results.items():
            good, total = found.get(measure, (0, 0))
            found[measure] = (good + passed, total + 1)
    return {name: found[name] for name in (*POSITIVE, *NEGATIVE) if name in found}


def missed_thresholds(verdicts: Iterable[Verdict], implementation: str) -> list[str]:
    """The measures below their thresholds, as sentences."""
    wanted = THRESHOLDS.get(implementation, THRESHOLDS["torch"])
    return [
        f"{measure}: {good} of {total} is below {wanted[measure]:.0%}"
        for measure, (good, total) in rates(verdicts).items()
        if good < wanted[measure] * total
    ]


def read_known_failures(path: Path = KNOWN_FAILURES) -> dict[tuple[str, str], str]:
    """`chapter/case measure: reason` lines, as (case, measure) -> reason."""
    known = {}
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        if line.strip() and not line.startswith("#"):
            where, _, reason = line.partition(": ")
            case, measure = where.split()
            known[case, measure] = reason
    return known


def regressions(
    verdicts: Iterable[Verdict], known: dict[tuple[str, str], str]
) -> tuple[list[str], list[str]]:
    """Failures that are not known, and known failures that no longer happen."""
    new: dict[str, list[str]] = {}
    mended: dict[str, list[str]] = {}
    for verdict in verdicts:
        for measure, passed in verdict.results.items():
            is_known = (verdict.case, measure) in known
            if passed == is_known:
                (mended if passed else new).setdefault(verdict.case, []).append(measure)
    return _sentences(new), _sentences(mended)


def _sentences(found: dict[str, list[str]]) -> list[str]:
    return [f"{case}: {', '.join(measures)}" for case, measures in found.items()]
