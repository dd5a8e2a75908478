"""Library code, which is not blamed: what is installed, Python's own files, and minits."""

from __future__ import annotations

import os
import sysconfig
from functools import lru_cache
from pathlib import Path

_FOLDERS = tuple(
    f"{folder}{os.sep}" for folder in (Path(__file__).parents[1], sysconfig.get_path("stdlib"))
)
_INSTALLED = {"site-packages", "dist-packages"}


@lru_cache(maxsize=4096)
def is_library(filename: str) -> bool:
    """Return whether a file is none of the user's; what is no file is none."""
    if filename.startswith("<"):
        return filename != "<stdin>"
    return not _INSTALLED.isdisjoint(Path(filename).parts) or filename.startswith(_FOLDERS)
