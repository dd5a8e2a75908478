"""`minits --print-completion SHELL`: a script that completes commands, options and files.

shtab writes it from the parser; it is an optional package.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any, NoReturn

from minits.cli.errors import UsageError

_FILES = ("target", "file", "output", "load_pass", "remarks_output")
"""The arguments whose values are files."""


class PrintCompletion(argparse.Action):
    """Prints the script and ends the command, as `--help` does."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> NoReturn:
        """Raises `UsageError` without shtab, and for a shell that it does not know."""
        try:
            import shtab
        except ImportError:
            raise UsageError(
                "--print-completion needs the package shtab: pip install 'minits[completion]'"
            ) from None
        if values not in shtab.SUPPORTED_SHELLS:
            there_are = ", ".join(shtab.SUPPORTED_SHELLS)
            raise UsageError(f"--print-completion knows no shell {values!r}: it knows {there_are}")
        for action in _actions(parser):
            if action.dest in _FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
        sys.stdout.write(shtab.complete(parser, shell=values))
        sys.exit(0)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
