"""Building C text with the system's compiler, once per machine.

A shared object is kept in the user's cache folder under the hash of all that it is made of: the
text without its comments, the flags, the compiler and the processor. Nothing is loaded that another
user could have written, or that is not whole (`libraries.py`). What has not been used for longest
is deleted when there is too much of it (`cache.py`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from minits.kernels.cpu import cache
from minits.kernels.cpu.c_compiler import (
    Compiler,
    NoCompiler,
    find_compiler,
    scratch_folder,
    without_comments,
)
from minits.kernels.cpu.libraries import Libraries, Library, is_whole, key_of

__all__ = ["NoCompiler", "build", "compiler", "entry_of", "open_built"]

_LIBRARIES = Libraries()


def compiler() -> list[str]:
    """Return the command, with flags. Raises NoCompiler where there is no compiler."""
    return find_compiler().command


def build(*texts: str, links: Sequence[str] = ()) -> Library:
    """Return the library made of C texts, from the cache if it is there. Raises NoCompiler.

    links: the flags for other libraries, of which this one calls functions
    """
    compiler = find_compiler()
    texts = tuple([without_comments(text) for text in texts])
    key = _key(compiler, texts)
    loaded = _LIBRARIES.get(key)
    if loaded is not None:
        return loaded
    path = _path(key)
    return _stored(path, key) or _made(compiler, path, key, texts, links)


def open_built(key: str) -> Library | None:
    """Return a library that was built before; None where it is not there. Raises NoCompiler."""
    return _LIBRARIES.get(key) or _stored(_path(key), key)


def entry_of(library: Library, name: str) -> Any:
    """Return a function that takes the address of its arguments. Raises NoCompiler."""
    try:
        entry = library[name]
    except AttributeError:
        raise NoCompiler(f"the compiler built a library without its function {name}") from None
    entry.argtypes = [ctypes.c_char_p]
    entry.restype = ctypes.c_int
    return entry


def is_built(*texts: str) -> bool:
    """Return whether the library of C texts is loaded, or in the cache. Raises NoCompiler."""
    key = _key(find_compiler(), [without_comments(text) for text in texts])
    return _LIBRARIES.get(key) is not None or is_whole(_path(key), key)


def _key(compiler: Compiler, texts: Sequence[str]) -> str:
    return key_of([*texts, compiler.identity])


def _path(key: str) -> Path:
    try:
        return cache.cache_folder() / f"{key}.so"
    except OSError as fault:
        raise NoCompiler(f"there is no folder to keep kernels in: {fault}") from None


def _stored(path: Path, key: str) -> Library | None:
    """Return a library that was built before; None where there is none that can be loaded."""
    if not (is_whole(path, key) and cache.use(path)):
        return None
    try:
        return _LIBRARIES.load(path, key)
    except OSError:
        return None


def _made(
    compiler: Compiler, path: Path, key: str, texts: Sequence[str], links: Sequence[str]
) -> Library:
    """Build a library, and store it if it can be stored. Raises NoCompiler."""
    with scratch_folder(path.parent) as folder:
        built = folder / path.name
        compiler.build(key, texts, built, links)
        cache.keep(path, built.read_bytes(), key)
        try:
            return _stored(path, key) or _LIBRARIES.load(built, key)
        except OSError as fault:
            raise compiler.refusal(key, f"it cannot be loaded: {fault}", built.parent) from None
