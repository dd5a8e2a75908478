"""Faults as people read them: the first line as editors parse it, the source line, advice.

Lines are wrapped where there is a width to wrap to, `COLUMNS` or that of a terminal; else each
message is one line, so that programs can match it.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from pathlib import Path

from minits.diagnostics import Diagnostic

_NARROWEST = 40


def as_text(diagnostic: Diagnostic, width: int | None) -> str:
    """Return the text of a fault, files of the working folder by their names in it."""
    text = diagnostic.render().replace(f"{Path.cwd()}{os.sep}", "")
    if width is None:
        return text
    return "\n".join(_wrapped(line, width) for line in text.split("\n"))


def text_width() -> int | None:
    """Return `COLUMNS`, or the width of the terminal; None where there is neither."""
    given = os.environ.get("COLUMNS", "")
    if given.isdigit() and int(given) > 0:
        return max(_NARROWEST, int(given))
    if sys.stderr.isatty():
        return max(_NARROWEST, shutil.get_terminal_size().columns)
    return None


def _wrapped(line: str, width: int) -> str:
    """Wrap a sentence; lines of source, which are indented, are left as they are."""
    if len(line) <= width or line.startswith(" "):
        return line
    return "\n".join(
        textwrap.wrap(
            line, width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
        )
    )
