"""The table of the README, written from the results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from conformance.matrix.results import Result, Tally, read_results

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- python -m conformance matrix -->\n", "<!-- end of the matrix -->\n"
_HEAD = (
    "| Python | torch | programs as recorded: minits | torch.jit there | which says | run on |\n"
    "|---|---|---|---|---|---|\n"
)


def table(results: list[Result]) -> str:
    """Return the table, a line for each pair."""
    return _HEAD + "".join(f"| {' | '.join(_cells(result))} |\n" for result in results)


def _cells(result: Result) -> Iterator[str]:
    yield result.python
    yield result.torch
    for name in ("minits", "torch"):
        yield _told(result.tallies.get(name))
    yield f"“{result.warning}”" if result.warning else "nothing"
    yield result.date


def _told(tally: Tally | None) -> str:
    if tally is None:
        return "not run"
    return f"{tally.right} of {tally.total}"


def with_table(text: str, results: list[Result]) -> str:
    """Return a text with the table between its two marks. Raises `ValueError` if it has none."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError("the README has no marks for the table")
    return f"{before}{BEGIN}{table(results)}{END}{after}"


def write_table(path: Path = README) -> None:
    """Write the table of all results into the README."""
    path.write_text(with_table(path.read_text("utf-8"), read_results()), "utf-8")
