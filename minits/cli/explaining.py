"""`minits explain`: a code of an error or a remark, or a place of a program."""

from __future__ import annotations

import argparse
import re

from minits.cli.errors import UsageError
from minits.cli.pages import show_code, show_remark

_ERROR = re.compile(r"TS\d{3}", re.IGNORECASE)
_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?")


def run_explain(options: argparse.Namespace) -> int:
    """Explain a code or a place.

    Raises `UsageError` for what is neither, and `CompileError` where the file cannot be read.
    """
    place = _PLACE.fullmatch(options.what)
    if place is not None:
        from minits.cli.places import explain_place

        column = None if place["column"] is None else int(place["column"])
        return explain_place(place["file"], int(place["line"]), column, options)
    _refuse_options_of_places(options)
    if _ERROR.fullmatch(options.what):
        return show_code(options.what.upper())
    if show_remark(options.what):
        return 0
    raise UsageError(
        f"{options.what!r} is no code of an error, such as TS402, none of a remark, such as "
        "not-elementwise, and no place, such as model.py:12"
    )


def _refuse_options_of_places(options: argparse.Namespace) -> None:
    """Raise `UsageError` for an option that has no meaning for a code."""
    given = {
        "--module": options.module,
        "--fn": options.fn,
        "--no-import": options.no_import,
        "--dialect": options.dialect != "torch",
        "--input": options.input,
    }
    for name, value in given.items():
        if value:
            raise UsageError(f"{name} is for a place of a program, FILE:LINE, not for a code")
