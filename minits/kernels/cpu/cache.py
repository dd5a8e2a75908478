"""The folder of built kernels and of plans, and how it is kept small.

The files that have not been used for longest are deleted.

`MINITS_CACHE` names another folder than the user's own. Where there is none that can be written to,
or that others could write to, the process has one of its own until it ends.

A file's modification time says when it was last used. Deleting happens seldom: when a process
builds its first kernel, and every so many kernels after that. Several processes may do it at once.
A file that somebody has loaded may be deleted as well; it is there for them until they let go.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path

from minits.cache_folder import cache_folder as shared_folder
from minits.kernels.cpu.libraries import store
from minits.private_files import private_folder
from minits.records import dataclass

MOST_FILES = 8192
MOST_BYTES = 512 << 20
_KEPT = 0.75
"""The part of the limits to which a folder is trimmed, so that the next process need not do it."""
_BUILT_BETWEEN = 64
_ABANDONED = 3600.0
"""Seconds after which a file that is still being written belongs to nobody any more."""
_built = count()


def cache_folder() -> Path:
    """Return a folder that nobody but this user can write to. Raises OSError if there is none."""
    try:
        folder = shared_folder("kernels")
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return _of_process(os.getpid())


@lru_cache(maxsize=1)
def _of_process(number: int) -> Path:
    """Return a folder that is there until the process of this number ends. Raises OSError."""
    folder = Path(tempfile.mkdtemp(prefix="minits-"))
    atexit.register(_remove, folder, number)
    return private_folder(folder)


def _remove(folder: Path, number: int) -> None:
    """Remove the folder of a process, unless this is a fork of it."""
    if os.getpid() == number:
        shutil.rmtree(folder, ignore_errors=True)


def use(path: Path) -> bool:
    """Mark a file as used now. Return whether it is there."""
    try:
        os.utime(path)
    except FileNotFoundError:
        return False
    except OSError:
        pass  # it belongs to a file system that keeps no times, say; it can be loaded all the same
    return True


def keep(path: Path, content: bytes, key: str) -> None:
    """Store what was built if it can be stored; if not, it will be built again."""
    try:
        store(path, content, key)
        note_built(path)
    except OSError:
        pass  # the folder cannot be written to, or the disk is full


def note_built(path: Path) -> None:
    """Count a file that has been built, and trim its folder now and then."""
    if next(_built) % _BUILT_BETWEEN == 0:
        trim(path.parent)


def trim(folder: Path) -> None:
    """Delete the least recently used kernels of a folder if there are too many of them.

    Files with other names than kernels have are left alone.
    """
    found = sorted(_files(folder), key=lambda file: file.used)
    now = time.time()
    for file in found:
        if file.path.suffix == ".tmp" and now - file.used > _ABANDONED:
            _delete(file)
    kernels = [file for file in found if file.path.suffix in (".so", ".cubin", ".plan")]
    files, size = len(kernels), sum(file.size for file in kernels)
    if files <= MOST_FILES and size <= MOST_BYTES:
        return
    for file in kernels:
        if files <= _KEPT * MOST_FILES and size <= _KEPT * MOST_BYTES:
            return
        _delete(file)
        files -= 1
        size -= file.size


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    used: float
    size: int


def _files(folder: Path) -> Iterator[_File]:
    """Yield the files of a folder, but for those that go away while it is read."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    if entry.is_file(follow_symlinks=False):
                        found = entry.stat(follow_symlinks=False)
                        yield _File(Path(entry.path), found.st_mtime, found.st_size)
                except OSError:
                    continue
    except OSError:
        return


def _delete(file: _File) -> None:
    """Delete a file, unless it has been used or deleted meanwhile."""
    try:
        if file.path.lstat().st_mtime == file.used:
            file.path.unlink()
    except OSError:
        pass
