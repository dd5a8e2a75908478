"""The command `python -m conformance language`."""

from __future__ import annotations

import argparse

from conformance import options
from conformance.language.pages import FOLDER, write


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command, which has no options."""
    parser.set_defaults(command=language)


def language(chosen: argparse.Namespace) -> int:
    """Write the pages of the language."""
    console = options.console()
    for name in write():
        console.print(f"written {FOLDER.name}/{name}", markup=False, soft_wrap=True)
    return 0
