"""The command `python -m conformance run`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import Progress

from conformance import known_failures, options, report, suite, thresholds
from conformance.case import Case, find_cases
from conformance.compare import Verdict
from conformance.implementations import implementation
from conformance.levels import LEVELS, cases_at

AS_C = {"MINITS_NATIVE": "whole", "MINITS_BUILD": "now", "MINITS_PLANS": "memory"}
"""The environment in which all calls are planned, the first ones too, and what can be C is: plans
on disk are generated Python."""

AT_ONCE = {"MINITS_BUILD": "now", "MINITS_PLANS": "memory"}
"""The environment in which first calls launch kernels, too: plans on disk have those of the CPU."""
ON_DEVICE = "conformance.on_device:MinitsOnDevice"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.set_defaults(command=run)
    options.add_implementation(parser)
    parser.add_argument("--level", choices=LEVELS, default="text", help="what is judged")
    parser.add_argument(
        "--known-failures", type=Path, metavar="FILE", help="what may fail, and must"
    )
    parser.add_argument(
        "--write-known-failures", type=Path, metavar="FILE", help="list what fails in FILE"
    )
    parser.add_argument(
        "--backend",
        choices=("native", "cuda"),
        help="run as C what can be, and tell what cannot, and why; or kernels on a GPU",
    )
    parser.add_argument(
        "--sanitize", action="store_true", help="with --backend native: under gcc's sanitizers"
    )
    parser.add_argument("--chapter", help="only the cases of this folder")
    options.add_case(parser)
    options.add_every(parser)
    parser.add_argument("--update", action="store_true", help="record anew what torch.jit does")
    options.add_json(parser)
    options.add_jobs(parser)
    options.add_scheduler(parser)
    parser.add_argument("--diff", action="store_true", help="show why each failing case fails")


def run(chosen: argparse.Namespace) -> int:
    """Return the exit status: 0 if all is well, 1 if a measure fails, 2 for misuse."""
    console = options.console()
    cases = find_cases(chapter=chosen.chapter, pattern=chosen.case)
    cases = cases_at(chosen.level, cases)[:: chosen.every]
    if not cases:
        console.print("no such case")
        return 2
    implementation(chosen.impl)  # one that is not there is misuse
    if chosen.backend == "native":
        os.environ.update(AS_C)
    if chosen.backend == "cuda":
        if not torch.cuda.is_available():
            console.print(f"torch {torch.__version__} finds no CUDA device here")
            return 2
        os.environ.update(AT_ONCE)
    if chosen.sanitize:
        from conformance import sanitizers

        if not sanitizers.is_on():
            sanitizers.start_again(sys.argv[1:])
    if chosen.update:
        return _update(chosen, cases, console)
    return _check(chosen, cases, console)


def _update(chosen: argparse.Namespace, cases: list[Case], console: Console) -> int:
    with options.progress() as bar:
        task = bar.add_task("recording", total=len(cases))
        done = suite.record(cases, jobs=chosen.jobs, progress=_advance(bar, task))
    is_part = chosen.chapter or chosen.case or chosen.every > 1
    stale = [] if is_part else suite.remove_stale(cases)
    for title, names in (("recorded", done.changed), ("removed", stale), ("FAULTY", done.faults)):
        for name in names:
            console.print(f"{title} {name}", markup=False, soft_wrap=True)
    console.print(f"{len(done.changed)} of {len(cases)} expectations changed")
    return 1 if done.faults else 0


def _check(chosen: argparse.Namespace, cases: list[Case], console: Console) -> int:
    known, listed = _known(chosen)
    with options.progress() as bar:
        task = bar.add_task(chosen.impl, total=len(cases))
        verdicts = suite.check(
            cases,
            ON_DEVICE if chosen.backend == "cuda" else chosen.impl,
            jobs=chosen.jobs,
            progress=_advance(bar, task),
            level=chosen.level,
            scheduler=chosen.scheduler,
        )
    report.print_failures(console, verdicts, chosen.diff)
    console.print(report.summary_table(verdicts, chosen.impl))
    if chosen.backend == "native":
        console.print("\n".join(report.backend_lines(verdicts)), markup=False, highlight=False)
    if chosen.write_known_failures:
        path = chosen.write_known_failures
        count = known_failures.write_known_failures(path, verdicts, chosen.impl)
        console.print(f"{count} failures written to {path}", markup=False, soft_wrap=True)
        return 0
    faults = _faults(verdicts, chosen.impl, known, listed)
    for fault in faults:
        console.print(fault, markup=False, soft_wrap=True)
    if chosen.json:
        options.write_report(
            chosen.json,
            "run",
            chosen.impl,
            thresholds.rates(verdicts),
            faults,
            report.cases_of(verdicts),
            level=chosen.level,
        )
    return 1 if faults else 0


def _known(chosen: argparse.Namespace) -> tuple[known_failures.Known, Path]:
    """The failures that are known, and the file that lists them."""
    path = chosen.known_failures
    if path is None and chosen.impl == "minits":
        path = known_failures.OF_MINITS
    if path is None:
        return {}, Path("no file")
    return known_failures.read_known_failures(path), path


def _faults(
    verdicts: list[Verdict], name: str, known: known_failures.Known, listed: Path
) -> list[str]:
    new, mended = known_failures.regressions(verdicts, known)
    faults = thresholds.missed_thresholds(verdicts, name)
    faults += [f"not a known failure: {each}" for each in new]
    faults += [f"passes, strike it out of {listed.name}: {each}" for each in mended]
    return faults


def _advance(bar: Progress, task: object) -> suite.Progress:
    def advance(case: Case) -> None:
        bar.update(task, advance=1, refresh=True)  # type: ignore[arg-type]

    return advance
