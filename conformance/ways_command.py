"""The command `python -m conformance ways`."""

from __future__ import annotations

import argparse

from conformance import options
from conformance.case import find_cases
from conformance.ways import ROUNDS, check_ways, in_turns, optional_passes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.set_defaults(command=ways)
    parser.add_argument(
        "--calls", type=int, default=ROUNDS, metavar="N", help="how often to make the calls"
    )
    parser.add_argument(
        "--without-pass",
        default="each",
        metavar="NAMES",
        help="passes of plans to switch off one by one, by commas; each (the default), or none",
    )
    parser.add_argument(
        "--turns", type=int, metavar="N", help="switch off N of the passes for each case, in turns"
    )
    parser.add_argument("--chapter", help="only the cases of this folder")
    options.add_case(parser)
    options.add_every(parser)
    options.add_jobs(parser)


def ways(chosen: argparse.Namespace) -> int:
    """Print the cases of which two ways to run them differ; return 1 if there are any."""
    console = options.console()
    passes = optional_passes()
    named = {"each": passes, "none": ()}.get(chosen.without_pass)
    without = tuple(chosen.without_pass.split(",")) if named is None else named
    unknown = [name for name in without if name not in passes]
    cases = find_cases(chapter=chosen.chapter, pattern=chosen.case)[:: chosen.every]
    if unknown or not cases:
        console.print(f"no such pass of plans: {', '.join(unknown)}" if unknown else "no such case")
        return 2
    off = in_turns(cases, without, len(without) if chosen.turns is None else chosen.turns)
    programs = runs = calls = 0
    differing = 0
    with options.progress() as bar:
        task = bar.add_task("ways", total=len(cases))
        for name, result in check_ways(cases, off, chosen.calls, chosen.jobs):
            bar.update(task, advance=1, refresh=True)
            programs, runs, calls = programs + 1, runs + result.ways, calls + result.calls
            differing += bool(result.faults)
            for fault in result.faults:
                bar.console.print(f"{name}: {fault}", markup=False, highlight=False, soft_wrap=True)
    console.print(
        f"{programs} programs, {runs} runs of {calls} calls: {differing} programs differ",
        soft_wrap=True,
        highlight=False,
    )
    return 1 if differing or not programs else 0
