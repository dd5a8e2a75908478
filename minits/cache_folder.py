"""The one folder of what minits keeps between processes: parser tables, kernels, plans."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def cache_folder() -> Path:
    """Return `MINITS_CACHE`, or else the user's cache folder for minits; it need not exist.

    Where the user's home is not known, the path begins with `~`.
    """
    given = os.environ.get("MINITS_CACHE")
    if given:
        return Path(given)
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("minits", appauthor=False))


def is_private(found: os.stat_result) -> bool:
    """Return whether nobody but this user can write there."""
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
