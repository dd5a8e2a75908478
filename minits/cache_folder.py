"""The one folder of what minits keeps between processes: parser tables, kernels, plans, results."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from minits.private_files import private_folder


def cache_folder(part: str = "") -> Path:
    """Return a part of `MINITS_CACHE`, or else of the user's cache folder for minits.

    It is there, and nobody but this user can write to it. Raises OSError if that cannot be.
    """
    folder = _root().absolute() / part
    found = _found(folder)
    if isinstance(found, Path) and not found.exists():  # removed since it was found
        _found.cache_clear()
        found = _found(folder)
    if isinstance(found, str):
        raise OSError(found)
    return found


@lru_cache(maxsize=32)
def _found(folder: Path) -> Path | str:
    """Return a private folder, or why there is none: a process looks once, while it is there."""
    try:
        return private_folder(folder)
    except OSError as fault:
        return str(fault)


def _root() -> Path:
    """Return the folder of all parts. Raises OSError where the user's home is not known."""
    given = os.environ.get("MINITS_CACHE")
    if given:
        return Path(given)
    from platformdirs import user_cache_dir

    root = Path(user_cache_dir("minits", appauthor=False))
    if root.parts[:1] == ("~",):
        raise OSError("the user's home is not known")
    return root
