"""`minits explain`: a code of an error or a remark, or a place of a program."""

from __future__ import annotations

import argparse
import re

from minits.cli.errors import UsageError
from minits.cli.pages import show_code, show_remark

_ERROR = re.compile(r"TS\d{3}", re.IGNORECASE)


def run_explain(options: argparse.Namespace) -> int:
    """Explain a code. Raises `UsageError` for what is none."""
    if _ERROR.fullmatch(options.what):
        return show_code(options.what.upper())
    if show_remark(options.what):
        return 0
    raise UsageError(
        f"{options.what!r} is no code of an error, such as TS402, and none of a remark, such as "
        "not-elementwise"
    )
