"""Recorded runs (`minits/stepping/recording.py`) as a page has them: small, and linked to its rows.

A program that is compiled has rows for its graphs; those of a file of `minits run --record`, which
is read without the program, are made here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from minits.report.model import (
    Change,
    Compilation,
    Page,
    RanGraph,
    Row,
    Run,
    StageEntry,
)
from minits.report.ranges import Ranges
from minits.source import Position, SourceFile
from minits.stepping.recording import Recording

WHATS = ("call", "op", "enter", "block", "leave", "raise")
_VALUE = re.compile(r"%[\w.]+")


def run_entry(recording: Recording, rows: Sequence[int]) -> Run:
    """Return a run. rows: the row of each operation."""
    texts = _Numbers()
    places: dict[tuple[int, ...], int] = {}
    steps: list[int] = []
    printed = []
    for number, step in enumerate(recording["steps"]):
        values = step.get("values", {})
        names = [texts.number(name) for name in values]
        place = (WHATS.index(step["what"]), step.get("op", -1), step.get("block", -1), *names)
        steps += [places.setdefault(place, len(places)), step["frame"]]
        steps += [texts.number(value["text"]) for value in values.values()]
        if "printed" in step:
            printed.append((number, step["printed"]))
    kinds = [texts.number(op["kind"]) for op in recording["operations"]]
    result = recording["result"]
    return Run(
        program=recording["program"],
        texts=[*texts.found],
        graphs=[RanGraph(graph["function"], [*rows[slice(*graph["operations"])]])
                for graph in recording["graphs"]],
        kinds=kinds,
        places=[[*place] for place in places],
        frames=[(each["graph"], -1 if each["caller"] is None else each["caller"])
                for each in recording["frames"]],
        steps=steps,
        count=len(recording["steps"]),
        printed=printed,
        result=None if result is None else result["text"],
        error=recording["error"],
        is_cut=recording["cut"],
    )  # fmt: skip


class _Numbers:
    """Numbers of texts, in the order in which they are first asked for."""

    def __init__(self) -> None:
        self.found: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.found.setdefault(text, len(self.found))


class Step(NamedTuple):
    """A step of a run: the row of its operation, -1 for a call; and names and texts of values."""

    what: str
    row: int
    frame: int
    values: list[tuple[str, str]]


def steps_of(run: Run) -> Iterator[Step]:
    """Yield the steps of a run."""
    rows = [row for graph in run.graphs for row in graph.rows]
    at = 0
    while at < len(run.steps):
        what, op, _, *names = run.places[run.steps[at]]
        end = at + 2 + len(names)
        values = [(run.texts[name], run.texts[text])
                  for name, text in zip(names, run.steps[at + 2 : end], strict=True)]  # fmt: skip
        yield Step(WHATS[what], -1 if op < 0 else rows[op], run.steps[at + 1], values)
        at = end


# ---- Files -------------------------------------------------------------------------------------


def add_recording(page: Page, recording: Recording) -> None:
    """Add a recording that was read from a file: its sources, graphs and steps."""
    rows = list(_rows(recording, page, Ranges(page)))
    page.rows += rows
    run = run_entry(recording, range(len(rows)))
    first = StageEntry("as it ran", Change(), 0.0, 0, 0, run.graphs[0].rows)
    compilation = Compilation(run.program, run.program, [first], run=run)
    compilation.files = files_of(page, compilation)
    page.compilations.append(compilation)


def _rows(recording: Recording, page: Page, ranges: Ranges) -> Iterator[Row]:
    sources = [SourceFile(each["file"], each["text"], each["first_line"])
               for each in recording["sources"]]  # fmt: skip
    keys: dict[tuple[int, str], int] = {}
    number = 0
    for graph, entry in enumerate(recording["graphs"]):
        for op in recording["operations"][slice(*entry["operations"])]:
            names = {f"%{name}" for name in (*op["inputs"], *op["outputs"])}
            named = [name for name in _VALUE.findall(op["text"]) if name in names]
            values = [keys.setdefault((graph, name), len(keys)) for name in named]
            links = []
            if "source" in op:
                begin = Position(op["line"], op["column"])
                end = Position(op["end_line"], op["end_column"])
                links.append(ranges.between(sources[op["source"]], begin, end))
            yield Row(number, number, op["text"], values, links)
            number += 1


def files_of(page: Page, compilation: Compilation) -> list[int]:
    """Return the files of a compilation; the one that most of its first graph is from leads."""
    counts: dict[int, int] = {}
    for row in shown_rows(compilation):
        for link in page.rows[row].links:
            file = page.ranges[link].file
            counts[file] = counts.get(file, 0) + 1
    first = [page.ranges[links[0]].file for row in compilation.stages[0].rows
             if (links := page.rows[row].links)]  # fmt: skip
    lead = max(dict.fromkeys(first), key=first.count, default=-1)
    return sorted(counts, key=lambda file: (file != lead, -counts[file]))


def shown_rows(compilation: Compilation) -> Iterable[int]:
    """Yield the rows of all graphs of a compilation: after the passes, and those that ran."""
    for stage in compilation.stages:
        yield from stage.rows
    for graph in compilation.run.graphs if compilation.run else ():
        yield from graph.rows
