"""Built libraries on disk and in the process.

A stored library ends with a checksum of itself and of the key that it is stored under. It is read
and verified before it is loaded: loading half a library kills the process when the other half is
needed. The folder is one that no other user can change (`private_files.py`): what was verified is
what is loaded.

A library is unloaded when nothing refers to it or to one of its functions any more; a running call
refers to its function. The first one stays: with it stays OpenMP's library, whose threads wait in
its code for the next call.
"""

from __future__ import annotations

import _ctypes
import ctypes
import hashlib
import weakref
from collections.abc import Sequence
from pathlib import Path

from minits.private_files import read_private, write_private

_DIGEST = hashlib.sha256().digest_size
_unload = getattr(_ctypes, "dlclose", None)


def key_of(parts: Sequence[str]) -> str:
    """Return the key of what is made of these texts alone."""
    return hashlib.sha256("\0".join(parts).encode(errors="backslashreplace")).hexdigest()[:40]


def store(path: Path, content: bytes, key: str) -> None:
    """Write a library with its checksum. Raises OSError; nothing is left behind then."""
    write_private(path, content + _checksum(content, key))


def is_whole(path: Path, key: str) -> bool:
    """Return whether there is a library of this key, as it was stored by this user."""
    return read_whole(path, key) is not None


def read_whole(path: Path, key: str) -> bytes | None:
    """Return the bytes under a key; None if they are not there as this user has stored them."""
    try:
        stored = read_private(path)
    except OSError:
        return None
    content = stored[:-_DIGEST]
    return content if content and stored[-_DIGEST:] == _checksum(content, key) else None


def _checksum(content: bytes, key: str) -> bytes:
    return hashlib.sha256(content + key.encode()).digest()


class Library(ctypes.CDLL):
    """A library that is loaded. `key` is what it is stored under."""

    key: str


class Libraries:
    """The libraries that this process has loaded, by key."""

    def __init__(self) -> None:
        self._loaded: weakref.WeakValueDictionary[str, Library] = weakref.WeakValueDictionary()
        self._first: Library | None = None

    def get(self, key: str) -> Library | None:
        return self._loaded.get(key)

    def load(self, path: Path, key: str) -> Library:
        """Load a library, which is unloaded when it is forgotten. Raises OSError."""
        library = Library(str(path))
        library.key = key
        if self._first is None:
            self._first = library
        elif _unload is not None:
            weakref.finalize(library, _unload, library._handle).atexit = False
        self._loaded[key] = library
        return library
