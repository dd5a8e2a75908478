"""The parser of the command line: argparse's, with misuse as an error of ours.

It imports nothing of the compiler, so that `--help` and `--version` are quick.
"""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from minits.cli.errors import UsageError

_CHOICES = re.compile(r"invalid choice: '?([^' ]+)'? \(choose from (.*?)\)?$")


class Parser(argparse.ArgumentParser):
    """A parser whose faults are `UsageError`s, with the option that was meant, if one is close.

    Options are not abbreviated: a new one would change the meaning of the others' beginnings.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments of a command, all of which it must know. Raises `UsageError`."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.refuse_unknown(unknown)
        return found, unknown

    def refuse_unknown(self, unknown: Sequence[str]) -> NoReturn:
        """Raise `UsageError` for the first of these arguments."""
        first = unknown[0]
        if not first.startswith("-"):
            self.error(f"there is one argument too many: {first!r}")
        known = [name for action in self._actions for name in action.option_strings]
        self.error(f"there is no option {first}{_did_you_mean(first.partition('=')[0], known)}")

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError`: the command line is wrong."""
        choice = _CHOICES.search(message)
        if choice is not None:
            names = re.findall(r"[\w.-]+", choice[2])
            message += _did_you_mean(choice[1], names)
        elif "expected one argument" in message:
            message += "; one that begins with a dash is written --option=-VALUE"
        raise UsageError(f"{message}; see {self.prog} --help")


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, [*known], 1)
    return f"; did you mean {close[0]}?" if close else ""


def with_standard_input(arguments: Sequence[str]) -> list[str]:
    """Spell `-:NAME`, which argparse takes for an option, as `<stdin>:NAME`."""
    return [f"<stdin>{each[1:]}" if each.startswith("-:") else each for each in arguments]
