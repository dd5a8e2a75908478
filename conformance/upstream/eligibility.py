"""The list of tests that count, and why the others do not: `eligible.txt`.

A line is `category<TAB>name` for a test that counts, `-<TAB>name<TAB>reason` for one (or a file)
that does not. Names of tests only: nothing of the tests themselves is kept here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from conformance.upstream import scope
from conformance.upstream.runner import Result

PATH = Path(__file__).with_name("eligible.txt")


def reason(result: Result) -> str:
    """The reason for which a test does not count, as torch.jit itself ran it; empty if it does."""
    if result.outcome == "passed":
        return scope.reason(result.calls)
    if result.outcome == "excluded":
        return result.error
    if result.outcome == "skipped":
        return "skipped with torch.jit"
    if result.outcome == "failed":
        return f"fails with torch.jit: {result.error.partition(':')[0]}"
    return f"{result.outcome} with torch.jit: {_printable(result.error)}"


def _printable(text: str) -> str:
    """One short line without addresses and paths, which differ from run to run."""
    return re.sub(r"0x[0-9a-f]+|/\S+/", "…", " ".join(text.split()))[:90]


def write(results: Iterable[Result], version: str, path: Path, anew: Collection[str]) -> None:
    """Write the list. `anew`: the files or tests that were run; of others, it says what it said."""
    kept = [line for line in _lines(path) if not {*_names(line)} & {*anew}]
    lines = list(kept)
    for result in results:
        why = reason(result)
        if why:
            lines.append(f"-\t{result.name}\t{why}")
        else:  # of a file that cannot be imported, there is no test to be of a category
            lines.append(f"{scope.category(result.name, result.calls)}\t{result.name}")
    head = [
        "# Written by `python -m conformance upstream PATH --eligible`; do not edit.",
        f"# PyTorch's TorchScript tests that pass with torch.jit itself, here of torch {version}.",
    ]
    notes = [line for line in path.read_text().splitlines() if line[:1] == "#"][2:] if kept else []
    path.write_text("\n".join([*head, *notes, *sorted(lines)]) + "\n")


def _names(line: str) -> tuple[str, str]:
    """Return the test that a line is about, and its file."""
    name = line.split("\t")[1]
    return name, name.partition("::")[0]


def _lines(path: Path) -> list[str]:
    """Return the lines of the list; none if it is yet to be written."""
    lines = path.read_text().splitlines() if path.exists() else []
    return [line for line in lines if line[:1] not in ("#", "")]


def read(path: Path) -> dict[str, str]:
    """The tests that count, each with its category."""
    rows = [line.split("\t") for line in _lines(path)]
    return {row[1]: row[0] for row in rows if row[0] != "-"}


def read_excluded(path: Path) -> dict[str, str]:
    """The tests and files that do not count, each with the reason."""
    rows = [line.split("\t") for line in _lines(path)]
    return {row[1]: row[2] for row in rows if row[0] == "-"}
