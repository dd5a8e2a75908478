"""The rates that torch.jit and minits must reach; of others, known failures alone decide."""

from __future__ import annotations

from collections.abc import Iterable

from conformance.compare import NEGATIVE, POSITIVE, Verdict

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
    wanted = THRESHOLDS.get(implementation, {})
    return [
        f"{measure}: {good} of {total} is below {wanted[measure]:.0%}"
        for measure, (good, total) in rates(verdicts).items()
        if good < wanted.get(measure, 0.0) * total
    ]
