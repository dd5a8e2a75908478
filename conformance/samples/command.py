"""The commands `python -m conformance ops` and `python -m conformance nn`."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from conformance.samples.check import CALLS, Counts
from conformance.samples.sweep import names_of, sweep, tasks_of

SOURCES_OF_OPS = ("database", "schemas")
MOST = {"database": 4, "schemas": 2, "modules": 6}
"""Samples of an entry, of each dtype; lists of arguments, of a schema."""


def add_arguments(parser: argparse.ArgumentParser, sources: tuple[str, ...]) -> None:
    """Declare the options of the command over these sources."""
    parser.set_defaults(command=check_samples, sources=sources)
    if len(sources) > 1:
        parser.add_argument(
            "--of", choices=sources, help="only torch's database, or only its registered schemas"
        )
    parser.add_argument("--name", default="", metavar="REGEX", help="only entries that it matches")
    parser.add_argument(
        "-n", "--sample", type=int, metavar="N", help="check N entries of each, drawn by the seed"
    )
    parser.add_argument("--samples", type=int, metavar="K", help="most samples of an entry")
    parser.add_argument("--calls", type=int, default=CALLS, metavar="N", help="times of each call")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--impl", default="minits", metavar="NAME", help="or module:Class")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="let a Dask cluster do the work")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all findings to FILE")


def check_samples(options: argparse.Namespace) -> int:
    """Print each program that differs from torch.jit; return 1 if there is one."""
    console = Console(soft_wrap=True)
    sources = options.sources if getattr(options, "of", None) is None else (options.of,)
    names = {
        source: names_of(source, options.name, options.sample, options.seed) for source in sources
    }
    total = sum([len(each) for each in names.values()])
    if not total:
        console.print("no such entry")
        return 2
    counts, faults = Counts(), []
    with _progress() as bar:
        row = bar.add_task("entries", total=total)
        tasks = [
            task
            for source, each in names.items()
            for task in tasks_of(
                source,
                each,
                seed=options.seed,
                most=options.samples or MOST[source],
                implementation=options.impl,
                calls=options.calls,
            )
        ]
        for checked in sweep(tasks, options.jobs, options.scheduler):
            bar.update(row, advance=checked.entries, refresh=True)
            counts = counts + checked.counts
            faults += checked.faults
            for fault in checked.faults:
                bar.console.print(fault, markup=False, highlight=False, soft_wrap=True)
    console.print(f"{total:,} entries, {counts}", highlight=False)
    if options.json:
        _write(options.json, options.impl, total, counts, faults)
    return 1 if faults else 0


def _write(path: Path, name: str, entries: int, counts: Counts, faults: list[str]) -> None:
    told = {field: getattr(counts, field) for field in Counts.__dataclass_fields__}
    data = {"implementation": name, "entries": entries, "counts": told, "faults": sorted(faults)}
    path.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
    )
