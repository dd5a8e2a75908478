"""`--fix`, `--diff` and `--unsafe-fixes` of `minits check`, as in ruff.

--fix              make the safe edits of the faults, and tell the faults that are left
--diff             show these edits as a unified diff, and write nothing
--unsafe-fixes     with either of them, make the edits that are guesses, too
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from minits.cli.errors import UsageError
from minits.lazily import lazily
from minits.source import SourceFile

mend = lazily("minits.cures.mending:mend")


def add_fix_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to the command `check`."""
    group = parser.add_argument_group("mending")
    group.add_argument("--fix", action="store_true", help="mend the faults with a safe edit")
    group.add_argument(
        "--diff", action="store_true", help="show as a diff what --fix would do, and write nothing"
    )
    group.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix or --diff: also make edits that are guesses at what was meant",
    )


def is_fixing(options: argparse.Namespace) -> bool:
    """Return whether files are mended. Raises `UsageError` for `--unsafe-fixes` alone."""
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise UsageError("--unsafe-fixes goes with --fix or --diff")
    return bool(options.fix or options.diff)


def fix_file(source: SourceFile, check: Any, options: argparse.Namespace, name: str) -> Any:
    """Mend a file, or print the diff that would; return the `Mended`.

    check: returns the faults of a text of the file. name: the file as it is shown; `-` is standard
    input, whose new text goes to standard output. Raises `UsageError` where it cannot be written.
    """
    done = mend(source, check, unsafe=options.unsafe_fixes)
    if options.diff:
        sys.stdout.write(done.diff(name))
    elif name == "-":
        sys.stdout.write(done.text)
    elif done.text != source.text:
        try:
            Path(source.filename).write_bytes(done.text.encode("utf-8", "surrogatepass"))
        except OSError as problem:
            raise UsageError(f"cannot write {name}: {problem.strerror}") from None
    return done
