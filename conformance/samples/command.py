"""What the commands `ops` and `nn` do."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from conformance import options
from conformance.implementations import implementation

MOST = {"database": 4, "schemas": 2, "modules": 6}
"""Samples of an entry, of each dtype; lists of arguments, of a schema."""
CALLS = 2


def add_options(parser: argparse.ArgumentParser, name: str, *sources: str) -> None:
    """Declare the options of the command `name`, which checks the entries of `sources`."""
    parser.set_defaults(command=check_samples, name_of_command=name, of=None, sources=sources)
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
    options.add_implementation(parser)
    options.add_jobs(parser)
    options.add_scheduler(parser)
    options.add_json(parser)


def check_samples(chosen: argparse.Namespace) -> int:
    """Print each program that differs from torch.jit; return 1 if there is one."""
    from conformance.samples.check import Counts
    from conformance.samples.sweep import names_of, sweep

    implementation(chosen.impl)  # one that is not there is misuse
    console = options.console()
    names = {
        source: names_of(source, chosen.name, chosen.sample, chosen.seed)
        for source in chosen.sources
        if chosen.of in (None, source)
    }
    total = sum([len(each) for each in names.values()])
    if not total:
        console.print("no such entry")
        return 2
    counts, faults = Counts(), []
    with options.progress() as bar:
        row = bar.add_task("entries", total=total)
        for checked in sweep(list(_tasks(chosen, names)), chosen.jobs, chosen.scheduler):
            bar.update(row, advance=checked.entries, refresh=True)
            counts = counts + checked.counts
            faults += checked.faults
            for fault in checked.faults:
                bar.console.print(fault, markup=False, highlight=False, soft_wrap=True)
    console.print(f"{total:,} entries, {counts}", highlight=False, soft_wrap=True)
    if chosen.json:
        totals = {
            "outcomes": (counts.equal_outcomes, counts.outcomes),
            "graphs": (counts.equal_graphs, counts.graphs),
        }
        command = chosen.name_of_command
        options.write_report(
            chosen.json, command, chosen.impl, totals, sorted(faults), seed=chosen.seed
        )
    return 1 if faults else 0


def _tasks(chosen: argparse.Namespace, names: dict[str, list[str]]) -> Iterator[object]:
    from conformance.samples.sweep import tasks_of

    for source, each in names.items():
        yield from tasks_of(
            source,
            each,
            seed=chosen.seed,
            most=chosen.samples or MOST[source],
            implementation=chosen.impl,
            calls=chosen.calls,
        )
