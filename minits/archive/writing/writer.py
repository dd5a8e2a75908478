"""Writing archives: compiled modules and functions with their state and code, as torch.jit.save.

    archive/data.pkl, data/0, ...         the module: its attributes, submodules, tensors
    archive/code/__torch__/...py          its classes and functions
    archive/code/__torch__/...py.debug_pkl  which ranges of the program their lines stand for
    archive/constants.pkl, constants/0    what the code calls CONSTANTS.c0
    archive/extra/...                     files of the user's
    archive/version, archive/byteorder

All of it is made before the first byte is written, so what cannot be saved leaves no file behind.

Source: torch/csrc/jit/serialization/export_module.cpp (`ScriptModuleSerializer`).
"""

from __future__ import annotations

import secrets
import stat
from collections.abc import Container, Mapping
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import torch
from torch import nn

from minits.archive.container.zip_writer import ZipWriter, folder_for, require_plain
from minits.archive.errors import SaveError
from minits.archive.pickling.writer import MARK, TUPLE
from minits.archive.printing.source_map import MappedText
from minits.archive.writing.archive_spelling import ArchiveSpelling
from minits.archive.writing.debug_ranges import pickle_ranges
from minits.archive.writing.format_version import version_for
from minits.archive.writing.program_printer import ProgramPrinter
from minits.archive.writing.tensor_pickling import storage_bytes
from minits.archive.writing.value_pickling import Call, ValuePickler
from minits.frontend.modules.module_info import ModuleInfo
from minits.frontend.values.function import CompiledFunction, compiled_of
from minits.records import dataclass, field
from minits.types import types as t
from minits.users_objects import ATTRIBUTE, ModuleState, known_info

ExtraFiles = Mapping[str, str | bytes]
_IN_DATA_FOLDER = 6  # from this version on the version stands in `.data/version`


@dataclass(slots=True)
class Contents:
    """The records of an archive, made and not written yet."""

    data: bytes
    tensors: list[torch.UntypedStorage]
    code: dict[str, MappedText]
    constants: bytes
    constant_tensors: list[torch.UntypedStorage]
    version: int
    extra_files: dict[str, bytes] = field(default_factory=dict)


def contents_of(compiled: Any, call: Call, extra_files: ExtraFiles | None = None) -> Contents:
    """Return the records for an archive of a compiled module or function. Raises `SaveError`.

    call: runs a compiled method (`__getstate__`).
    """
    root = _root(compiled)
    spelling = ArchiveSpelling()
    data = ValuePickler(spelling.names, call)
    type = known_info(root).type
    with data.at(type.short_name):
        data.write(root, type)
    program = ProgramPrinter(spelling, data.modules)
    code = program.print_all()
    constants = _pickle_constants(program, ValuePickler(spelling.names, call))
    return Contents(
        data.out.finish(),
        data.tensors.storages,
        code,
        constants.out.finish(),
        constants.tensors.storages,
        version_for(program.graphs),
        {name: _as_bytes(name, content) for name, content in (extra_files or {}).items()},
    )


def _root(compiled: Any) -> Any:
    """Return the module to save. Raises `SaveError` for a method or an object not compiled."""
    if known_info(compiled) is not None:
        return compiled
    function = compiled_of(compiled)
    if function is None:
        found = type(compiled).__name__
        raise SaveError(f"a {found} is not compiled", fix="save what minits.script makes of it")
    if function.itself is not None:
        raise SaveError(f"the method {function.name} has no state", fix="save its module")
    return _FunctionHolder(function)


def _pickle_constants(program: ProgramPrinter, pickler: ValuePickler) -> ValuePickler:
    pickler.out.op(MARK)
    values = program.constants
    for index, (value, type) in enumerate(zip(values.values, values.types, strict=True)):
        with pickler.at(f"CONSTANTS.c{index}"):
            pickler.write(value, type)
    pickler.out.op(TUPLE)
    return pickler


def _as_bytes(name: str, content: str | bytes) -> bytes:
    require_plain(name)
    return content.encode() if isinstance(content, str) else bytes(content)


def write_contents(
    contents: Contents, file: IO[bytes], folder: str, left_out: Container[str] = ()
) -> None:
    """Write the records in torch's order, but for the storages that are left out."""
    with ZipWriter(file, folder) as archive:
        for name, content in contents.extra_files.items():
            archive.write(f"extra/{name}", content)
        for index, storage in enumerate(contents.tensors):
            if f"data/{index}" not in left_out:
                archive.write(f"data/{index}", storage_bytes(storage))
        archive.write("data.pkl", contents.data)
        for name, text in contents.code.items():
            archive.write(name, text.text.encode(), is_code=True)
            archive.write(f"{name}.debug_pkl", pickle_ranges(text.ranges), is_code=True)
        for index, storage in enumerate(contents.constant_tensors):
            archive.write(f"constants/{index}", storage_bytes(storage))
        archive.write("constants.pkl", contents.constants)
        version = ".data/version" if contents.version >= _IN_DATA_FOLDER else "version"
        archive.write(version, f"{contents.version}\n".encode())
        archive.write("byteorder", b"little")


def to_bytes(contents: Contents, left_out: Container[str] = ()) -> bytes:
    """Return an archive as bytes, but for the storages left out; its folder is `archive`."""
    buffer = BytesIO()
    write_contents(contents, buffer, "archive", left_out)
    return buffer.getvalue()


def to_path(contents: Contents, path: str) -> None:
    """Write an archive to a new file beside the path, which then replaces the path.

    It has the permissions of the file that it replaces.

    Raises `SaveError` if there is no such folder.
    """
    target = Path(path).resolve()  # what a link leads to
    if not target.parent.is_dir():
        raise SaveError(f"Parent directory {target.parent} does not exist.")
    if target.exists() and not target.is_file():  # a pipe or device
        target.write_bytes(to_bytes(contents))
        return
    beside = target.with_name(f".minits-{secrets.token_hex(8)}.tmp")
    try:
        with beside.open("xb") as file:
            write_contents(contents, file, folder_for(path))
        if target.exists():
            beside.chmod(stat.S_IMODE(target.stat().st_mode))
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def to_stream(contents: Contents, stream: Any) -> None:
    """Give an archive to an object that has `write`. Raises `OSError` if it takes only a part."""
    content = to_bytes(contents)
    taken = stream.write(content)
    if isinstance(taken, int) and taken != len(content):
        raise OSError(
            f"the stream took {taken} of the archive's {len(content)} bytes: open the file with "
            "buffering, or write the bytes of save_to_buffer() in parts"
        )


# ---- Functions ---------------------------------------------------------------------------------


class _FunctionHolder:
    """A module that a function is saved as: the function is its `forward`."""

    training = True

    def __init__(self, function: CompiledFunction) -> None:
        type = t.ClassType("__torch__.PlaceholderModule", is_module=True)
        type.attributes["training"] = t.Attribute("training", t.BOOL)
        type.methods["forward"] = function
        vars(self)[ATTRIBUTE] = ModuleState(ModuleInfo(nn.Module, type))
