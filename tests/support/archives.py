"""Archives for tests: those that torch.jit.save writes, and such with other records in them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest
import torch

import minits
from minits.archive.container.limits import Limits

CLASS = "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
FORWARD = "  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    return x\n"
EMPTY_TUPLE = b"\x80\x02)."


def loaded(program: Any) -> Any:
    """A compiled module or function, saved to an archive and loaded from it."""
    buffer = io.BytesIO()
    minits.save(program, buffer)
    buffer.seek(0)
    return minits.load(buffer)


def saved(module: Any, **options: Any) -> io.BytesIO:
    """Script a module, unless it is scripted, and save it with torch.jit."""
    buffer = io.BytesIO()
    torch.jit.save(torch.jit.script(module), buffer, **options)
    buffer.seek(0)
    return buffer


def records_of(archive: io.BytesIO) -> dict[str, bytes]:
    """The contents of the entries, by their names without the folder."""
    with zipfile.ZipFile(archive) as file:
        return {name.partition("/")[2]: file.read(name) for name in file.namelist()}


def packed(records: Mapping[str, bytes | str], method: int = zipfile.ZIP_STORED) -> io.BytesIO:
    """An archive with these records."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, content in records.items():
            file.writestr(f"archive/{name}", content)
    buffer.seek(0)
    return buffer


def archive_of(
    code: str, state: bytes = b"}", constants: bytes = EMPTY_TUPLE, **records: bytes | str
) -> io.BytesIO:
    """An archive of one object of `__torch__.M`; `state` is the pickle of its state."""
    data = b"\x80\x02c__torch__\nM\n)\x81" + state + b"b."
    return packed(
        {
            "data.pkl": data,
            "code/__torch__.py": code,
            "constants.pkl": constants,
            "version": "3\n",
            **records,
        }
    )


def refused(archive: io.BytesIO | bytes, match: str, **limits: int) -> None:
    """Require that loading an archive raises an `ArchiveError` whose text matches."""
    stream = io.BytesIO(archive) if isinstance(archive, bytes) else archive
    stream.seek(0)
    with pytest.raises(minits.ArchiveError, match=match):
        minits.load(stream, limits=Limits(**limits))
