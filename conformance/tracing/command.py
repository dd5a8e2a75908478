"""`python -m conformance tracing`: operators, modules and models, traced by both."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from conformance.tracing import models, modules, operators
from conformance.tracing.compare import difference_of_frozen
from conformance.tracing.operators import MOST_SAMPLES, Program, check


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.set_defaults(command=run)
    parser.add_argument("what", choices=("operators", "modules", "models"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these")
    parser.add_argument("-n", type=int, default=MOST_SAMPLES, metavar="N", help="samples of each")
    parser.add_argument("--frozen", action="store_true", help="compare modules that are frozen")
    parser.add_argument("--diff", action="store_true", help="show the first difference of each")


def run(options: argparse.Namespace) -> int:
    """Print what differs; return 1 if anything does, else 0."""
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
    counts: Counter[str] = Counter()
    for name, programs in _programs(options):
        told = [(each, _checked(each, options.frozen)) for each in programs]
        counts["not traced by torch.jit"] += sum(fault == "" for _, fault in told)
        counts["equal"] += sum(fault is None for _, fault in told)
        faults = [(each, fault) for each, fault in told if fault]
        counts["different"] += len(faults)
        compared = sum(fault != "" for _, fault in told)
        counts[f"{options.what} that differ"] += bool(faults)
        counts[options.what] += bool(compared)
        for each, fault in faults[:1]:
            shown = f"\n{fault}" if options.diff else ""
            sys.stdout.write(f"{name}: {len(faults)} differ, such as {each.name}{shown}\n")
    told_counts = ", ".join(f"{number} {what}" for what, number in counts.items() if number)
    sys.stdout.write(f"{told_counts}\n")
    return 1 if counts["different"] or not counts["equal"] else 0


def _programs(options: argparse.Namespace) -> Iterator[tuple[str, list[Program]]]:
    if options.what == "operators":
        return operators.programs(options.names, options.n)
    if options.what == "modules":
        return modules.programs(options.names, options.n)
    return models.programs(options.names)


def _checked(program: Program, frozen: bool) -> Any:
    try:
        return difference_of_frozen(program.make, program.inputs) if frozen else check(program)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
