"""What the commands have in common: options, a bar, a console, and reports as JSON."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

SCHEMA = Path(__file__).with_name("report.schema.json")
"""The JSON schema of all reports."""
FORMAT = 1


def add_implementation(parser: argparse.ArgumentParser) -> None:
    """Declare whom a command measures."""
    parser.add_argument(
        "--impl", default="minits", metavar="NAME", help="torch, minits, or module:Class"
    )


def add_case(parser: argparse.ArgumentParser) -> None:
    """Declare the choice of cases."""
    parser.add_argument(
        "--case", default="", metavar="TEXT", help="only cases with TEXT in the name"
    )


def add_every(parser: argparse.ArgumentParser) -> None:
    """Declare the choice of a part of all cases, the same each time."""
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th case")


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Declare the number of processes: that of the processors, unless it is given."""
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")


def add_scheduler(parser: argparse.ArgumentParser) -> None:
    """Declare the option of a cluster."""
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="let the workers of a Dask cluster do the work"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Declare the option of a report."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results to FILE")


def progress() -> Progress:
    """A bar on stderr, drawn without a thread."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
    )


def console() -> Console:
    """Standard output, wide enough for tables where it is no terminal."""
    made = Console()
    return made if made.is_terminal else Console(width=132)


def write_report(
    path: Path,
    command: str,
    implementation: str,
    totals: Mapping[str, tuple[int, int]],
    faults: Iterable[str],
    cases: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> None:
    """Write a report, of the form that `report.schema.json` tells.

    `totals` are pairs of what passed and of how many; `cases` are results and reasons by measure.
    """
    data = {
        "format": FORMAT,
        "command": command,
        "implementation": implementation,
        "versions": {"torch": version("torch"), "python": platform.python_version()},
        **more,
        "totals": {name: {"passed": good, "of": all} for name, (good, all) in totals.items()},
        "faults": list(faults),
        "cases": dict(cases or {}),
    }
    path.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
