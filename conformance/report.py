"""The suite's output: a table by chapter, the failures, and the same as data."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from conformance.compare import NEGATIVE, POSITIVE, Verdict
from conformance.thresholds import rates

_MOST_LINES = 40
AS_C = frozenset(("native", "native, asking", "loops"))
"""The ways in which a plan has run as C: all of it, all but what it asks Python, its loops."""


def summary_table(verdicts: list[Verdict], implementation: str) -> Table:
    """A row for each chapter and one for all: how many cases pass each measure."""
    title = f"conformance of {implementation}"
    table = Table(title=title, title_justify="left", box=SIMPLE, pad_edge=False, padding=(0, 1))
    table.add_column("chapter", no_wrap=True)
    table.add_column("cases", justify="right", no_wrap=True)
    measures = (*POSITIVE, *NEGATIVE)
    for measure in measures:
        table.add_column(measure, justify="right", no_wrap=True)
    names = list(dict.fromkeys(verdict.case.rpartition("/")[0] for verdict in verdicts))
    for name in names:
        chosen = [verdict for verdict in verdicts if verdict.case.rpartition("/")[0] == name]
        table.add_row(name, str(len(chosen)), *_cells(chosen), end_section=name == names[-1])
    table.add_row("all", str(len(verdicts)), *_cells(verdicts), style="bold")
    return table


def _cells(verdicts: list[Verdict]) -> list[Text]:
    found = rates(verdicts)
    return [_cell(*found.get(measure, (0, 0))) for measure in (*POSITIVE, *NEGATIVE)]


def _cell(good: int, total: int) -> Text:
    if total == 0:
        return Text("-", "dim")
    share = "100%" if good == total else f"{min(99.9, 100 * good / total):.1f}%"
    return Text(share, "green" if good == total else "yellow" if good else "red")


def backend_lines(verdicts: list[Verdict]) -> list[str]:
    """How many programs ran as C, and for the others why not, the most frequent cause first."""
    ran = [verdict.ran_as for verdict in verdicts if verdict.ran_as]
    whole = sum(set(each) <= {"native", "native, asking"} for each in ran)
    asking = sum("native, asking" in each for each in ran)
    parts = sum("loops" in each for each in ran)
    causes = Counter(
        next(way for way in each if way not in AS_C) for each in ran if not AS_C.issuperset(each)
    )
    share = 100 * whole / len(ran) if ran else 0.0
    lines = [
        f"{whole} of {len(ran)} programs ran as C ({share:.1f} %), {asking} of them with questions "
        f"to Python; loops of {parts} others"
    ]
    return lines + [f"{count:6} {cause}" for cause, count in causes.most_common()]


def print_failures(console: Console, verdicts: list[Verdict], diffs: bool) -> None:
    """List each failing case with its failed measures; with `diffs`, also why."""
    for verdict in verdicts:
        if verdict.passed:
            continue
        failed = [measure for measure, passed in verdict.results.items() if not passed]
        console.print(Text(f"{verdict.case}: fails {', '.join(failed)}", "red"))
        for line in _reasons(verdict, failed) if diffs else [_last_line(verdict, failed[0])]:
            console.print(Text(f"    {line}"), soft_wrap=True)


def _last_line(verdict: Verdict, measure: str) -> str:
    """The most telling line of a reason: an exception's last, a difference's first."""
    lines = verdict.reasons[measure].strip().splitlines() or [""]
    changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return changed[0] if changed else lines[-1]


def _reasons(verdict: Verdict, failed: list[str]) -> list[str]:
    lines: list[str] = []
    told: set[str] = set()
    for measure in failed:
        reason = verdict.reasons[measure]
        if reason not in told:
            told.add(reason)
            shown = reason.splitlines()
            lines += [f"{measure}:", *(f"  {line}" for line in shown[:_MOST_LINES])]
            lines += [f"  ... {len(shown) - _MOST_LINES} more"] if len(shown) > _MOST_LINES else []
    return lines


def cases_of(verdicts: list[Verdict]) -> dict[str, dict[str, Any]]:
    """Return each case's results and reasons, as data."""
    return {
        verdict.case: {"results": verdict.results, "reasons": verdict.reasons}
        for verdict in verdicts
    }
