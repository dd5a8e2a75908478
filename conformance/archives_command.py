"""The command `python -m conformance archives`."""

from __future__ import annotations

import argparse
from pathlib import Path

from conformance import options
from conformance.archive_files import check_files
from conformance.archives import READERS, check_archives
from conformance.case import find_cases
from conformance.implementations import implementation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.set_defaults(command=archives)
    options.add_implementation(parser)
    parser.add_argument("--reader", choices=READERS, default="torch", help="who loads them")
    parser.add_argument(
        "--files", type=Path, metavar="FOLDER", help="compare the archives of a folder instead"
    )
    options.add_case(parser)
    options.add_every(parser)
    options.add_jobs(parser)
    options.add_scheduler(parser)
    options.add_json(parser)


def archives(chosen: argparse.Namespace) -> int:
    """Print the cases that do something else when they were saved and loaded."""
    console = options.console()
    implementation(chosen.impl)  # one that is not there is misuse
    if chosen.files is not None and (chosen.impl != "minits" or chosen.scheduler):
        console.print("--files compares minits.load with torch.jit.load, here")
        return 2
    found: dict[str, str | None] = {}
    with options.progress() as bar:
        if chosen.files is None:
            cases = find_cases(pattern=chosen.case)[:: chosen.every]
            task = bar.add_task("archives", total=len(cases))
            checked = check_archives(
                cases, chosen.reader, chosen.jobs, chosen.impl, chosen.scheduler
            )
        else:
            task = bar.add_task("archives", total=None)
            checked = check_files(chosen.files)
        for name, fault in checked:
            bar.update(task, advance=1, refresh=True)
            found[name] = fault
            if fault is not None:
                bar.console.print(f"{name}: {fault}", markup=False, highlight=False, soft_wrap=True)
    done = "saved and loaded" if chosen.files is None else "loaded, called and saved again"
    faults = {name: fault for name, fault in sorted(found.items()) if fault is not None}
    console.print(f"{len(found)} programs {done}: {len(faults)} differ", soft_wrap=True)
    if chosen.json:
        totals = {"outputs": (len(found) - len(faults), len(found))}
        told = [f"{name}: {fault}" for name, fault in faults.items()]
        cases_told = {name: _case(fault) for name, fault in sorted(found.items())}
        reader = {"reader": chosen.reader}
        options.write_report(
            chosen.json, "archives", chosen.impl, totals, told, cases_told, **reader
        )
    return 1 if faults or not found else 0


def _case(fault: str | None) -> dict[str, dict[str, object]]:
    reasons: dict[str, object] = {} if fault is None else {"outputs": fault}
    return {"results": {"outputs": fault is None}, "reasons": reasons}
