"""Results on disk, by content: nothing here imports torch, so that a second check is quick.

An entry is a JSON file, named after a hash of the file's path and of the options that its answers
depend on. It holds the result, and a hash of each file that the result depends on: the file, what
it imports, minits, torch. It counts as long as all of them are the same. What a file reads
otherwise while it is imported (data, environment variables) is not known here.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from minits.cache_folder import cache_folder
from minits.check.imports import dependencies
from minits.check.results import FileResult
from minits.check.serial import result_as_json, result_from_json
from minits.library_files import is_library
from minits.package_digest import package_files
from minits.private_files import read_private, write_private
from minits.source import read_regular

MOST_FILES = 16384
"""Entries of the folder; those that were written first go."""


class ResultCache:
    """The results of files, for one set of options.

    folder: None for a cache that remembers nothing.
    """

    def __init__(self, folder: Path | None, options: str) -> None:
        self.folder = folder
        self._options = f"{options}\n{versions()}"
        self._hashes: dict[str, str | None] = {}
        self._written = 0

    def read(self, path: Path, option: str) -> FileResult | None:
        """Return the result of a file, if all that it depends on is as it was."""
        if self.folder is None:
            return None
        self._hash(str(path))  # of what is checked next: it may be changed meanwhile
        try:
            stored = json.loads(read_private(self._entry(path, option)))
            if any(self._hash(name) != known for name, known in stored["files"].items()):
                return None
            return result_from_json(stored["result"])
        except (OSError, LookupError, TypeError, ValueError):
            return None

    def write(self, path: Path, option: str, result: FileResult) -> None:
        """Remember a result, unless minits itself failed, or there is no folder to write to.

        Nor is that of a file remembered that cannot be read.
        """
        if self.folder is None or result.internal:
            return
        try:
            text = read_regular(path).decode("utf-8", errors="replace")
        except OSError:
            return
        try:
            files = [str(path), *dependencies(path, text)]
            stored = {"files": {name: self._hash(name) for name in files}}
            entry = json.dumps({**stored, "result": result_as_json(result)})
            write_private(self._entry(path, option), entry.encode("utf-8"))
            self._written += 1
        except OSError:
            self.folder = None

    def close(self) -> None:
        """Trim the folder, if anything was written."""
        if self._written and self.folder is not None:
            _trim(self.folder)

    def _entry(self, path: Path, option: str) -> Path:
        assert self.folder is not None
        key = f"{path}\n{option}\n{self._options}"
        hashed = hashlib.sha256(key.encode(errors="surrogateescape"))  # names may be any bytes
        return self.folder / f"{hashed.hexdigest()[:32]}.json"

    def _hash(self, name: str) -> str | None:
        if name not in self._hashes:
            self._hashes[name] = _stamp(name) if is_library(name) else _content_hash(name)
        return self._hashes[name]


def result_cache(options: dict[str, Any]) -> ResultCache:
    """Return the user's cache for some options; one that remembers nothing if it has no folder."""
    try:
        folder = cache_folder("check")
    except OSError:
        folder = None
    return ResultCache(folder, json.dumps(options, sort_keys=True))


@lru_cache(maxsize=1)
def versions() -> str:
    """Return a hash of the versions of minits, of torch and of Python."""
    spec = find_spec("torch")
    torch = b""
    if spec is not None and spec.origin is not None:
        with contextlib.suppress(OSError):
            torch = Path(spec.origin).with_name("version.py").read_bytes()
    text = "\n".join([*package_files(), torch.decode("utf-8", errors="replace"), sys.version])
    return hashlib.sha256(text.encode()).hexdigest()


def _content_hash(name: str) -> str | None:
    try:
        return hashlib.sha256(read_regular(name)).hexdigest()
    except OSError:
        return None


def _stamp(name: str) -> str | None:
    """Return the size and the time of a file, which differ between a library's versions."""
    try:
        found = Path(name).stat()
    except OSError:
        return None
    return f"{found.st_size} {found.st_mtime_ns}"


def _trim(folder: Path) -> None:
    """Delete the oldest entries of a folder if there are too many; other files are left alone."""
    with contextlib.suppress(OSError):
        entries = sorted(folder.glob("*.json"), key=lambda entry: entry.lstat().st_mtime)
        for entry in entries[: max(0, len(entries) - MOST_FILES)]:
            entry.unlink(missing_ok=True)
