"""The command line: `python -m conformance run`."""

from __future__ import annotations

import argparse
import importlib
import os
import sys

from conformance.cluster import ClusterError
from conformance.implementations import UnknownImplementation
from conformance.known_failures import UnreadableList
from conformance.options import console

COMMANDS = {
    "run": ("run", "run the cases and compare with what torch.jit did"),
    "ops": ("samples.ops", "check every operator"),
    "nn": ("samples.nn", "check every module of torch.nn"),
    "fuzz": ("fuzz.command", "check random programs"),
    "upstream": ("upstream.command", "run PyTorch's own TorchScript tests"),
    "archives": ("archives_command", "save the programs, and run them loaded"),
    "ways": ("ways_command", "run each program by every way, and compare"),
    "fusion": ("fusion.command", "which of torch's operators fuse"),
    "tracing": ("tracing.command", "trace operators and modules of torch"),
    "orders": ("orders.command", "compile programs in random orders"),
    "foreign": ("foreign.command", "compile what installed packages define"),
    "packages": ("packages.command", "run tests of packages of the index"),
    "texts": ("texts.command", "write all that minits prints, to compare states"),
    "matrix": ("matrix.command", "run the cases on several Pythons and torches"),
    "language": ("language.command", "write docs/language from rules and cases"),
}
"""The module below `conformance` of each command, with `add_arguments`, and its help."""


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0 if all is well, 1 if a measure fails, 2 for misuse."""
    os.environ.setdefault("MINITS_BUILD", "now")  # most programs are called but once
    options = _parser().parse_args(arguments)
    try:
        result: int = options.command(options)
    except (ClusterError, UnknownImplementation, UnreadableList) as misuse:
        console().print(f"error: {misuse}", markup=False, highlight=False, soft_wrap=True)
        return 2
    return result


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (module, text) in COMMANDS.items():
        importlib.import_module(f"conformance.{module}").add_arguments(
            commands.add_parser(name, help=text)
        )
    return parser


def entry_point() -> None:
    """Run as a script, which can import adapters from where it is run."""
    sys.path.insert(0, "")
    sys.exit(main())


if __name__ == "__main__":
    sys.exit(main())
