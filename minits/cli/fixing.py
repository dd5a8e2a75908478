"""`--fix`, `--diff` and `--unsafe-fixes` of `minits check`, as in ruff.

--fix              make the safe edits of the faults, and tell the faults that are left
--diff             show these edits as a unified diff, and write nothing
--unsafe-fixes     with either of them, make the edits that are guesses, too
"""

from __future__ import annotations

import argparse
import sys
from codecs import BOM_UTF8
from collections.abc import Sequence
from typing import Any

from minits.cli.errors import UsageError
from minits.lazily import lazily
from minits.source import SourceFile
from minits.terminal_text import printable

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


def fix_files(
    files: Sequence[Any], results: Sequence[Any], settings: Any, options: argparse.Namespace
) -> tuple[list[Any], int]:
    """Mend the files whose faults have edits; return the results then, and how many are mended.

    files, results: as `check_project` takes and returns them; a file of standard input has no
    result. With `--diff`, print the diffs and write nothing. Raises `UsageError` where a file
    cannot be written.
    """
    found, mended = [], 0
    known = iter(results)
    for checked in files:
        result = None if checked.is_input else next(known)
        if result is None or any(each.edit is not None for each in result.diagnostics):
            result, count = _fix_file(checked, settings, options)
            mended += count
        found.append(result)
    return found, mended


def _fix_file(checked: Any, settings: Any, options: argparse.Namespace) -> tuple[Any, int]:
    from minits.check.file_check import check_file, read_source
    from minits.check.files import display_path
    from minits.check.selection import select_faults

    path, is_input = checked.path, checked.is_input
    source = SourceFile(str(path), sys.stdin.read()) if is_input else read_source(path)
    results: dict[str, Any] = {}

    def check(text: str) -> Any:
        result = check_file(
            path, settings, names=checked.names, is_named=checked.is_named, text=text
        )
        select_faults([result], settings)
        results[text] = result
        return result.diagnostics

    done = mend(source, check, unsafe=options.unsafe_fixes)
    if options.diff:
        diff = done.diff(display_path(path))
        sys.stdout.write(printable(diff) if sys.stdout.isatty() else diff)
    elif is_input:
        sys.stdout.write(done.text)
    elif done.text != source.text:
        try:
            mark = BOM_UTF8 if path.read_bytes().startswith(BOM_UTF8) else b""
            path.write_bytes(mark + done.text.encode("utf-8", "surrogatepass"))
        except OSError as problem:
            raise UsageError(f"cannot write {path}: {problem.strerror}") from None
    return results[done.text], len(done.mended)
