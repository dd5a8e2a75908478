"""`--import MODULE` and `--load-library FILE.so`: operators that torch itself does not have."""

from __future__ import annotations

import argparse

from minits.cli.errors import UsageError


def add_operators(parser: argparse.ArgumentParser) -> None:
    """Add the options that load what registers operators, for programs and archives with them."""
    group = parser.add_argument_group("operators that torch itself does not have")
    group.add_argument(
        "--import",
        dest="imported",
        action="append",
        default=[],
        metavar="MODULE",
        help="first import this module, which registers operators, such as torchvision",
    )
    group.add_argument(
        "--load-library",
        dest="libraries",
        action="append",
        default=[],
        metavar="FILE.so",
        help="first load this library, which registers operators",
    )


def load_operators_of(options: argparse.Namespace) -> None:
    """Load what a command line names. Raises `UsageError` where it cannot be loaded."""
    if not (getattr(options, "imported", None) or getattr(options, "libraries", None)):
        return
    from minits.ops.libraries import NotLoaded, load_operators

    try:
        load_operators(options.imported, options.libraries)
    except NotLoaded as fault:
        raise UsageError(str(fault)) from None
