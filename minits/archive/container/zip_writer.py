"""The ZIP container of an archive: named records in one folder.

The bytes of a record begin at a multiple of 64, so that a reader can map storages into memory:
padding in the entry's own header, of which the directory at the end knows nothing, sees to that.
Code is compressed, all else is stored.

Source: caffe2/serialize/inline_container.cc (`PyTorchStreamWriter`, `detail::getPadding`).
"""

from __future__ import annotations

import re
import zipfile
from typing import IO

from minits.archive.errors import SaveError

_ALIGNMENT = 64
_HEADER, _ZIP64 = 30, 20  # bytes of an entry's header without name, and of what large ones add
_LARGE = (2**31 - 1) / 1.05
_COMPRESSED_FROM = 200  # bytes
_FOREIGN = re.compile(r"[^A-Za-z0-9._-]")


def folder_for(path: str) -> str:
    """Return the folder for a file: its name without the ending, in plain characters."""
    name = re.split(r"[/\\]", path)[-1]
    stem = _FOREIGN.sub("", name.rpartition(".")[0] if "." in name else name)
    return stem if stem.strip(".") else "archive"


class ZipWriter:
    """Writes records to a file; close it (or leave its `with`) to write the directory."""

    def __init__(self, file: IO[bytes], folder: str) -> None:
        self._file, self._folder = file, folder
        self._zip = zipfile.ZipFile(file, "w", allowZip64=True)
        self._names: set[str] = set()

    def __enter__(self) -> ZipWriter:
        return self

    def __exit__(self, *details: object) -> None:
        self._zip.close()

    def write(self, name: str, content: bytes | memoryview, is_code: bool = False) -> None:
        """Write a record. Raises `SaveError` where a name is taken; case makes no difference."""
        if name.casefold() in self._names:
            raise SaveError(f"the archive has a record '{name}' already")
        self._names.add(name.casefold())
        entry = zipfile.ZipInfo(f"{self._folder}/{name}")  # of 1980, so that bytes are the same
        if is_code and len(content) > _COMPRESSED_FROM:
            entry.compress_type = zipfile.ZIP_DEFLATED
        is_large = len(content) > _LARGE
        entry.extra = self._padding(entry, is_large)
        with self._zip.open(entry, "w", force_zip64=is_large) as record:
            record.write(content)
        entry.extra = b""  # the directory does not repeat it

    def _padding(self, entry: zipfile.ZipInfo, is_large: bool) -> bytes:
        begin = self._file.tell() + _HEADER + len(entry.filename.encode()) + 4
        begin += _ZIP64 if is_large else 0
        length = -begin % _ALIGNMENT
        return b"FB" + length.to_bytes(2, "little") + b"Z" * length


def require_plain(name: str) -> None:
    """Raises `SaveError` for the name of an extra file that other programs could take for a path
    elsewhere.
    """
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts) or "\\" in name or "\0" in name:
        raise SaveError(
            f"the extra file {name!r} cannot be saved under this name",
            fix="name it like 'notes.txt' or 'folder/notes.txt'",
        )
