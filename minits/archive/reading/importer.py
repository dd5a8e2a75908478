"""Reading an archive: from its records to a module.

    version -> data.pkl, described -> the classes that it names -> values, checked -> the module

Source: torch/csrc/jit/serialization/import.cpp (`ScriptModuleDeserializer::deserialize`).
Differs: nothing of the archive is run but the `__setstate__` of its own classes, and that for a
limited number of operations; all faults are an `ArchiveError`.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import torch

from minits.archive.container.reader import Container
from minits.archive.errors import ArchiveError
from minits.archive.pickling.descriptions import ObjectOf
from minits.archive.pickling.reader import read_pickle
from minits.archive.reading.code_files import CodeFiles
from minits.archive.reading.definitions import Definitions
from minits.archive.reading.objects import Maker, ObjectReader
from minits.archive.reading.tensors import Storages, TensorReader, placed
from minits.diagnostics import CompileError
from minits.source import SourceRange
from minits.types.types import Type


def read_module(
    container: Container,
    maker: Maker,
    device: torch.device | None = None,
    maps: bool = True,
    storages: Storages | None = None,
    remaps: bool = False,
) -> Any:
    """Return the module of an archive, its tensors on `device`. Raises `ArchiveError`.

    `maps`: leave large storages in the file until they are used. `storages`: those that are not in
    the archive, by the names of their records. `remaps`: put the devices that the code and the
    attributes name where tensors of theirs are put.
    """
    try:
        return _Importer(container, maker, device, maps, storages or {}, remaps).read()
    except CompileError as why:
        loc = why.diagnostics[0].range
        record = None if loc is None else loc.source.filename
        offset = None if loc is None else loc.start
        raise ArchiveError(f"its code cannot be compiled: {why}", record, offset) from None
    except (RecursionError, MemoryError, OverflowError) as why:
        raise ArchiveError(f"it is nested too deeply, or too large ({why})") from None


class _Importer:
    """The state of reading one archive."""

    def __init__(
        self,
        container: Container,
        maker: Maker,
        device: torch.device | None,
        maps: bool,
        storages: Storages,
        remaps: bool,
    ) -> None:
        """Read the constants. Raises ArchiveError."""
        self.container = container
        moved = partial(placed, map_location=device) if remaps else None
        self.definitions = Definitions(
            CodeFiles(container), self._constant, maker.script_class, moved
        )
        self.data, self.constants = (
            ObjectReader(
                self.definitions,
                TensorReader(container, folder, device, maps, storages),
                maker,
                f"{folder}.pkl",
            )
            for folder in ("data", "constants")
        )
        self._described_constants = self._pickle("constants.pkl")
        if not isinstance(self._described_constants, tuple):
            raise ArchiveError("the constants are no tuple", "constants.pkl")

    def read(self) -> Any:
        """Return the module of the archive. Raises ArchiveError."""
        root = self._pickle("data.pkl")
        if not isinstance(root, ObjectOf) or not self.data.class_of(root).is_module:
            raise ArchiveError("the archive holds no module", "data.pkl")
        self.definitions.compile()
        module = self.data.object(root)
        self.definitions.compile()  # the classes of what stands for an interface
        return module

    def _pickle(self, record: str) -> Any:
        limits = self.container.limits
        return read_pickle(self.container.read(record, limits.pickle_bytes), record, limits)

    def _constant(self, name: str, loc: SourceRange) -> tuple[Any, Type]:
        """Return the value of `CONSTANTS.c0`, the same object at each use, and its type."""
        found = re.fullmatch(r"[a-z]([0-9]{1,9})", name)
        described = self._described_constants
        if found is None or int(found[1]) >= len(described):
            message = f"there is no constant {name}: the archive has {len(described)}"
            raise ArchiveError(message, loc.source.filename, loc.start)
        constant = described[int(found[1])]
        type = self.constants.type_of(constant, name)
        return self.constants.read(constant, type, name), type
