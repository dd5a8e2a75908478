"""The command `python -m conformance foreign`."""

from __future__ import annotations

import argparse
from collections import Counter

from rich.console import Console

from conformance.foreign.sweep import FAULTS, modules, sweep

_SERIOUS = ("raw exception", "lost", "minits refuses")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.set_defaults(command=foreign)
    parser.add_argument(
        "package", nargs="+", metavar="PACKAGE", help="such as torch.nn, torchvision"
    )
    parser.add_argument("--all", action="store_true", help="show other differences, too")


def foreign(options: argparse.Namespace) -> int:
    """Return the exit status: 1 if minits fails at a program, or refuses what torch.jit accepts."""
    console = Console()
    counts: Counter[str] = Counter()
    shown = FAULTS if options.all else _SERIOUS
    for package in options.package:
        for module in modules(package):
            for found in sweep(module):
                counts[found.kind] += 1
                if found.kind in shown:
                    told = f"{found.kind}: {found.program}\n{found.told}"
                    console.print(told, markup=False, highlight=False, soft_wrap=True)
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    console.print(f"{counts.total()} programs: {told}", soft_wrap=True)
    return 1 if any(counts[kind] for kind in _SERIOUS) or not counts else 0
