"""The records of an archive: named bytes below one folder of a ZIP file.

Source: caffe2/serialize/inline_container.cc (`PyTorchStreamReader`).
Differs: what reads differently in other programs (two entries of one name, a wrong checksum, a
length that is not that of the data) is refused.
"""

from __future__ import annotations

import mmap
import os
import re
import stat
import zlib
from pathlib import Path
from typing import Any

from minits.archive.container.limits import DEFAULT_LIMITS, Limits
from minits.archive.container.package import is_package, records_of_module
from minits.archive.container.zip_directory import STORED, Entry, read_directory
from minits.archive.errors import ArchiveError

OLDEST, NEWEST = 1, 10
"""The versions of the format that torch 2.13 reads."""
_ALIGNMENT = 64
"""Of the bytes of storages in the file; torch and minits see to it, others may not."""


class Container:
    """The records of one archive, by their names without the folder: `data.pkl`, `data/0`."""

    def __init__(
        self,
        data: memoryview,
        limits: Limits = DEFAULT_LIMITS,
        private: memoryview | None = None,
        module: str | None = None,
    ) -> None:
        """Read the directory. `private` maps the same bytes for writing. Raises `ArchiveError`.

        Of a `torch.package` the records are those of a module, which `module` names.
        """
        self.limits = limits
        self._data, self._private = data, private
        self.folder, self._entries = _below_one_folder(read_directory(data, limits))
        self._inflated = 0
        self.is_package = is_package(self._entries)
        if self.is_package:
            self._entries = records_of_module(self._entries, self._read_pickle, module)
        elif module is not None:
            raise ArchiveError(
                "this is no torch.package: it has one module, without a name", fix="leave it out"
            )
        _refuse_other_files(self._entries)
        self.version = self._read_version()

    @classmethod
    def open(
        cls, source: Any, limits: Limits = DEFAULT_LIMITS, module: str | None = None
    ) -> Container:
        """Open a path, or the bytes that `read()` of a file returns. Raises `ArchiveError`."""
        if not hasattr(source, "read"):
            return cls(*_mapped(Path(source), limits), module)
        content = source.read()
        if not isinstance(content, (bytes, bytearray, memoryview)):
            raise ArchiveError("the file object gives no bytes", fix="open the file with mode 'rb'")
        return cls(memoryview(content), limits, module=module)

    @property
    def length(self) -> int:
        """The bytes of the whole file."""
        return len(self._data)

    def close(self) -> None:
        """Release the file; the reader has no records afterwards."""
        self._data, self._private, self._entries = memoryview(b""), None, {}

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def names(self) -> list[str]:
        return list(self._entries)

    def size(self, name: str) -> int:
        return self.entry(name).size

    def is_packed(self, name: str) -> bool:
        return self.entry(name).method != STORED

    def read(self, name: str, limit: int | None = None) -> memoryview:
        """Return the bytes of a record. Raises `ArchiveError`, also if it has more than `limit`."""
        entry = self.entry(name)
        if limit is not None and entry.size > limit:
            raise ArchiveError(f"{entry.size} bytes; at most {limit} are read", name)
        packed = self._data[entry.start : entry.start + entry.packed]
        content = packed if entry.method == STORED else self._inflate(name, entry, packed)
        if self.limits.check_crc and zlib.crc32(content) != entry.crc:
            raise ArchiveError(
                "the checksum is not that of the data",
                name,
                fix="the file is damaged: get it again",
            )
        return content

    def _read_pickle(self, name: str) -> memoryview:
        return self.read(name, self.limits.pickle_bytes)

    def mapped(self, name: str) -> memoryview | None:
        """Return a record's bytes in memory that is the file until it is written to, if possible.

        What is written there stays in this process and out of the file. Raises `ArchiveError` if
        there is no such record, or if it is damaged.
        """
        entry = self.entry(name)
        if self._private is None or entry.method != STORED or entry.start % _ALIGNMENT:
            return None
        self.read(name)
        return self._private[entry.start : entry.start + entry.size]

    def entry(self, name: str) -> Entry:
        """Return where a record lies in the file. Raises `ArchiveError` if there is none."""
        if name not in self._entries:
            raise ArchiveError("the archive has no such record", name)
        return self._entries[name]

    def _inflate(self, name: str, entry: Entry, packed: memoryview) -> memoryview:
        """Unpack as many bytes as the entry has, and none more."""
        self._inflated += entry.size
        if entry.size > self.limits.compression_ratio * (entry.packed + 1):
            raise ArchiveError("the record unpacks to more than deflate can pack", name)
        if self._inflated > self.limits.inflated_bytes:
            limit = self.limits.inflated_bytes
            raise ArchiveError(f"the archive unpacks to more than {limit} bytes", name)
        unpacker = zlib.decompressobj(-15)
        try:
            content = unpacker.decompress(packed, entry.size + 1)
        except zlib.error:
            raise ArchiveError("the packed data is damaged", name) from None
        if len(content) != entry.size or not unpacker.eof or unpacker.unused_data:
            raise ArchiveError("the record unpacks to another size than it says", name)
        return memoryview(content)

    def _read_version(self) -> int:
        name = ".data/version" if ".data/version" in self else "version"
        text = bytes(self.read(name, 64))
        if not re.fullmatch(rb"[0-9]{1,9}\n?", text):
            raise ArchiveError("the version is no number", name)
        version = int(text)
        if not OLDEST <= version <= NEWEST:
            raise ArchiveError(
                f"version {version} of the format is not known, only {OLDEST} to {NEWEST} are",
                name,
                fix="save the module with an older torch" if version > NEWEST else None,
            )
        return version


def _mapped(path: Path, limits: Limits) -> tuple[memoryview, Limits, memoryview]:
    """Return the bytes of a file, which are read when they are looked at, and again for writing."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # a pipe would wait
    with os.fdopen(descriptor, "rb"):
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ArchiveError(
                "this is no file, but a folder, a pipe or a device",
                fix="copy its bytes to a file, or pass an io.BytesIO of them",
            )
        if status.st_size == 0:
            raise ArchiveError("the file is empty", offset=0)
        read, private = (
            memoryview(mmap.mmap(descriptor, 0, access=access))
            for access in (mmap.ACCESS_READ, mmap.ACCESS_COPY)
        )
        return read, limits, private


def _below_one_folder(entries: list[Entry]) -> tuple[str, dict[str, Entry]]:
    """Return the name of the folder, and the entries by their names below it."""
    folders = {entry.name.partition("/")[0] for entry in entries}
    if len(folders) != 1:
        raise ArchiveError(
            "the entries do not lie below one folder" if entries else "the archive has no entries",
            fix="pass a file that torch.jit.save or minits.save has written",
        )
    return folders.pop(), {entry.name.partition("/")[2]: entry for entry in entries}


def _refuse_other_files(entries: dict[str, Entry]) -> None:
    """Raises `ArchiveError` for the other things that lie in ZIP files, by their names."""
    if "model.json" in entries:
        raise ArchiveError(
            "this archive has the layout of torch 1.3 and older",
            fix="load it with a torch of that time, and save it again",
        )
    has_code = any(name.startswith("code/") for name in entries)
    if "data.pkl" in entries and "constants.pkl" not in entries and not has_code:
        raise ArchiveError(
            "this is a file of torch.save: it has values, and no compiled code",
            fix="load it with torch.load(..., weights_only=True)",
        )
    if "bytecode.pkl" in entries and not has_code:
        raise ArchiveError(
            "this is a file of torch's lite interpreter: it has bytecode, and no TorchScript",
            fix="save the module that it was made of with torch.jit.save, and load that",
        )
    for name in ("data.pkl", "constants.pkl"):
        if name not in entries:
            raise ArchiveError(f"the archive has no record {name}")
    if "version" not in entries and ".data/version" not in entries:
        raise ArchiveError("the archive has no record version")
