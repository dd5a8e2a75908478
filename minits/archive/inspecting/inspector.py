"""The inspection of an archive: its records, its pickles and its code are read, nothing is made.

    container -> records, version -> pickles, described -> modules -> code, parsed -> operators

What is wrong becomes a finding, and the rest is told nevertheless; only of a file whose directory
cannot be read there is nothing else to tell.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from minits.archive.container.limits import DEFAULT_LIMITS, Limits
from minits.archive.container.reader import Container
from minits.archive.errors import ArchiveError
from minits.archive.inspecting.contents import ContentsReader
from minits.archive.inspecting.inspection import (
    Finding,
    Inspection,
    RecordEntry,
    TensorEntry,
    kind_of,
)
from minits.archive.inspecting.program import ProgramReader, names_in
from minits.archive.pickling.reader import read_pickle
from minits.archive.reading.code_files import CodeFiles

_ALIGNMENT = 64


def inspect_archive(
    path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS, module: str | None = None
) -> Inspection:
    """Return the inspection of the archive at a path. Raises `OSError` where there is no file.

    `module` names one of a `torch.package`.
    """
    file = Path(path)
    found = Inspection(os.fspath(path), file.stat().st_size)
    try:
        container = Container.open(file, limits, module)
    except ArchiveError as why:
        found.findings.append(Finding("refused", "archive", str(why)))
        return found
    try:
        _Inspector(container, found).inspect()
    finally:
        container.close()
    return found


class _Inspector:
    """The state of one inspection."""

    def __init__(self, container: Container, found: Inspection) -> None:
        self.container, self.found = container, found
        self.files = CodeFiles(container)
        self.program = ProgramReader(self.files)

    def inspect(self) -> None:
        found, container = self.found, self.container
        found.folder, found.version = container.folder, container.version
        found.producer = _producer(container)
        self._records()
        self.program.read([r for r in container.names() if _is_code(r)])
        data = ContentsReader(self.files, "data")
        constants = ContentsReader(self.files, "constants")
        data.read_root(self._pickle("data.pkl"))
        found.modules = data.modules
        found.constants = self._constants(constants)
        found.operators = self.program.operators()
        found.code = self.program.texts
        roots = {*data.classes, *constants.classes, *self._named_in_tags()}
        self._unreferenced(data, constants, roots)
        found.findings += [*self.program.findings, *data.findings, *constants.findings]

    def _find(self, kind: str, subject: str, message: str) -> None:
        self.found.findings.append(Finding(kind, subject, message))

    # ---- Records -------------------------------------------------------------------------------

    def _records(self) -> None:
        for name in self.container.names():
            entry = self.container.entry(name)
            record = RecordEntry(name, entry.size, entry.packed, self.container.is_packed(name))
            self.found.records.append(record)
            if name.startswith("extra/"):
                self.found.extra_files[name.removeprefix("extra/")] = entry.size
            try:
                self.container.read(name)
            except ArchiveError as why:
                self._find("refused", name, why.message)
            self._odd_record(record, entry.start)

    def _odd_record(self, record: RecordEntry, start: int) -> None:
        kind = kind_of(record.name)
        if kind == "other":
            self._find("note", record.name, "this record is none of the format")
        if kind in ("weights", "constants") and record.is_compressed:
            self._find("note", record.name, "the storage is compressed, so it cannot be mapped")
        elif kind in ("weights", "constants") and record.size and start % _ALIGNMENT:
            self._find("note", record.name, "the storage is not aligned, so it cannot be mapped")

    def _unreferenced(
        self, data: ContentsReader, constants: ContentsReader, roots: set[str]
    ) -> None:
        """Find the storages that no tensor has, the code that no object needs, and the reverse."""
        needed = {**data.storages, **constants.storages}
        for record in self.found.records:
            is_storage = kind_of(record.name) in ("weights", "constants")
            if is_storage and record.name not in needed:
                self._find("note", record.name, "no tensor refers to this storage")
        for name, storage in needed.items():
            if name not in self.container and storage.numel:
                self._find("refused", name, "the archive has no such record")
        if data.classes:  # else it is not known what is needed
            for name in self.program.unused(roots):
                self._find("note", name, "nothing that the module needs is in this code")

    # ---- Pickles -------------------------------------------------------------------------------

    def _pickle(self, record: str) -> Any:
        """Return the description of a record's value, None where it cannot be read."""
        limits = self.container.limits
        try:
            content = self.container.read(record, limits.pickle_bytes)
            return read_pickle(content, record, limits)
        except ArchiveError as why:
            self._find("refused", record, str(why))
            return None

    def _constants(self, reader: ContentsReader) -> list[TensorEntry]:
        values = self._pickle("constants.pkl")
        if not isinstance(values, tuple):
            return []
        return [
            entry
            for index, value in enumerate(values)
            for entry in reader.constants(f"CONSTANTS.c{index}", value)
        ]

    def _named_in_tags(self) -> set[str]:
        """Return the names of classes in the pickles' texts: types of lists, classes."""
        found: set[str] = set()
        for record in ("data.pkl", "constants.pkl"):
            try:
                text = bytes(self.container.read(record, self.container.limits.pickle_bytes))
            except ArchiveError:
                continue
            found |= set(names_in(text.decode("latin-1").replace("\n", ".")))
            found |= set(names_in(text.decode("latin-1")))
        return found


def _is_code(record: str) -> bool:
    return re.fullmatch(r"code/.*\.py", record) is not None


def _producer(container: Container) -> str:
    """Return a guess at the program that wrote an archive: it does not say so itself."""
    if container.is_package:
        return "torch.package"
    if "bytecode.pkl" in container:
        return "torch, for its lite interpreter"
    if ".data/serialization_id" in container:
        return "torch 2"
    if "byteorder" in container:
        return "minits, or torch 2"
    return "torch 1"
