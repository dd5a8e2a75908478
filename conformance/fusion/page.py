"""docs/operators.md: which of torch's operators fuse, n of m, and why the others do not.

The page is its own memory: a run for some operators writes their rows anew and leaves the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import torch

from conformance.fusion.database import KINDS, Operator
from conformance.fusion.sweep import DTYPES, NO_PROGRAM, Row

PAGE = Path(__file__).parents[2] / "docs" / "operators.md"
MOST_SAMPLES = 3
"""Samples of each operator and dtype that the page is made of."""

_HEAD = """\
# Operators that fuse

Written by `python -m conformance fusion --write`, for some operators alone if they are named;
`--classify` compares no results. A test runs a part of it again.

Each row is an operator of torch's own database (`op_db` in `torch.testing._internal`, {version})
that computes elementwise, along rows or by an index map. It is put between two copies, called with
arguments from the database, and compiled; what runs as a kernel is compared with eager, with the
interpreter and with numpy, as random programs are ([fusion.md](fusion.md)), strides included.

`y` says that all samples of that dtype fuse, `k/n` that so many do, `-` that none does, and an
empty place that torch has no such operator. The reasons are those of remarks.

"""
_FOOT = """
TorchScript compiles no program for the samples of these, or torch draws random numbers in them:
{names}.
"""


def render(lines: dict[str, str], operators: Iterable[Operator]) -> str:
    """Return the page made of the rows of operators, as text, by their names."""
    texts = [_HEAD.format(version=f"torch {torch.__version__.partition('+')[0]}")]
    tables, without = [], []
    counts: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    for operator in operators:
        if operator.name in lines:
            if not counts[operator.kind]:
                tables.append(_table_head(operator.kind))
            counts[operator.kind].append(fuses(lines[operator.name]))
            tables.append(lines[operator.name])
        else:
            without.append(operator.name)
    texts.append(_summary(counts))
    return "".join([*texts, *tables, _FOOT.format(names=", ".join(without))])


def lines_of(page: str) -> dict[str, str]:
    """Return the rows of a page by the names of operators."""
    rows = [line for line in page.splitlines(keepends=True) if line.count(" | ") > len(DTYPES)]
    return {row.split("|")[1].strip(): row for row in rows if not row.startswith("| operator")}


def line(operator: Operator, row: Row) -> str | None:
    """Return the row of the table for an operator; None if no program calls it."""
    if not any(_is_program(found.fused, found.reasons) for found in row.values()):
        return None
    cells = " | ".join([_cell(row, dtype) for dtype in DTYPES])
    return f"| {operator.name} | {cells} | {_reason(row)} |\n"


def fuses(line: str) -> bool:
    """Whether any sample fuses, at any dtype, by the row's text."""
    cells = line.split("|")[2 : 2 + len(DTYPES)]
    return any("y" in cell or "/" in cell for cell in cells)


def _is_program(fused: int, reasons: Counter[tuple[str, str]]) -> bool:
    return fused > 0 or any(code != NO_PROGRAM for code, _ in reasons)


def _summary(counts: dict[str, list[bool]]) -> str:
    lines = ["| operators | fuse | of |\n", "|---|---|---|\n"]
    lines += [f"| {kind} | {sum(each)} | {len(each)} |\n" for kind, each in counts.items()]
    every = [one for each in counts.values() for one in each]
    return "".join([*lines, f"| **all** | **{sum(every)}** | **{len(every)}** |\n"])


def _table_head(kind: str) -> str:
    title = f"\n## {kind.capitalize()}\n\n| operator | {' | '.join(DTYPES)} | why not |\n"
    return f"{title}|---|{'---|' * len(DTYPES)}---|\n"


def _cell(row: Row, dtype: str) -> str:
    found = row.get(dtype)
    if found is None:
        return ""
    if found.fused == found.samples:
        return "y"
    return f"{found.fused}/{found.samples}" if found.fused else "-"


def _reason(row: Row) -> str:
    """The two most frequent reasons, those of complex numbers only if there are no others."""
    counts: Counter[str] = Counter()
    for dtype, found in row.items():
        if dtype != "c64" or all(
            each.fused == each.samples for d, each in row.items() if d != "c64"
        ):
            for (code, message), count in found.reasons.items():
                counts[f"{code}: {message}".replace("|", "\\|")] += count
    ordered = sorted(counts, key=lambda text: (-counts[text], text))
    return "; ".join(ordered[:2])
