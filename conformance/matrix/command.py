"""`python -m conformance matrix`: what was recorded, compared on several interpreters.

    python -m conformance matrix --python .venv/bin/python --python ~/py314/bin/python

Each interpreter has a torch and minits' dependencies; minits itself is that of this checkout. A
program that starts Python elsewhere, as in a container that sees this folder, will do. On another
machine, `python -m conformance.matrix.measure > FILE` writes what `--add FILE` adds here. Results
are kept in `results.json`, one for each pair of minor versions; the README's table shows them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from conformance.matrix.results import Result, keep
from conformance.matrix.table import write_table

ROOT = Path(__file__).parents[2]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.set_defaults(command=matrix)
    parser.add_argument(
        "--python", action="append", metavar="PATH", help="an interpreter; may be given repeatedly"
    )
    parser.add_argument(
        "--add", action="append", type=Path, metavar="FILE", help="add a result instead"
    )
    parser.add_argument("--case", default="", metavar="TEXT", help="only some cases; not kept")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")


def matrix(options: argparse.Namespace) -> int:
    """Return the exit status: 1 if a program differs, 2 if an interpreter cannot run the suite."""
    status = 0
    for result in _results(options):
        if result is None:
            status = 2
            continue
        if not options.case:
            keep(result)
        if not _print(result):
            status = max(status, 1)
    if not options.case:
        write_table()
    return status


def _results(options: argparse.Namespace) -> Iterator[Result | None]:
    for path in options.add or ():
        yield _read(path)
    for python in options.python or ([] if options.add else [sys.executable]):
        yield measured(python, options.case, options.jobs)


def _read(path: Path) -> Result | None:
    try:
        return Result.from_data(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError) as why:
        print(f"{path} holds no result: {why}", file=sys.stderr)
        return None


def measured(python: str, case: str, jobs: int) -> Result | None:
    """Return what an interpreter measures; None if it fails, and says why on stderr."""
    command = [python, "-m", "conformance.matrix.measure", "--case", case, "--jobs", str(jobs)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
        return Result.from_data(json.loads(done.stdout))
    except (OSError, ValueError) as why:
        print(f"{python} cannot run the suite: {why}", file=sys.stderr)
        return None


def _print(result: Result) -> bool:
    """Print a result; return whether minits did all that was recorded."""
    for name, tally in result.tallies.items():
        print(
            f"Python {result.python}, torch {result.torch}, {name}: {tally.right} of {tally.total} "
            f"programs do what was recorded, {tally.graphs} with the same graphs"
        )
        if name == "minits":
            for case, measures in tally.wrong.items():
                print(f"  {case}: {', '.join(measures)}")
    return not result.tallies["minits"].wrong
