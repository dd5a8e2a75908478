"""A text that differs between versions of minits: each of its files, how long, and how old."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def package_files() -> list[str]:
    """Return a line for each module of minits: where it is, how long, and when it was written."""
    return sorted(_modules(str(Path(__file__).parent)))


def _modules(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                found = entry.stat()
                yield f"{entry.path} {found.st_size} {found.st_mtime_ns}"
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _modules(entry.path)
