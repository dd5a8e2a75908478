"""`minits.load`: compiled modules from archives.

Source: torch/jit/_serialization.py (`load`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from minits.archive.container.limits import DEFAULT_LIMITS, Limits
from minits.archive.container.reader import Container
from minits.archive.errors import ArchiveError
from minits.archive.reading.importer import read_module
from minits.archive.reading.tensors import Storages
from minits.frontend.modules.module_info import ModuleInfo
from minits.frontend.python.class_registry import register
from minits.frontend.values.function import CompiledFunction
from minits.gc_pause import gc_paused
from minits.internal_error import internal_errors
from minits.recursion import deep_recursion
from minits.runtime.interpreter import run
from minits.runtime.loaded_objects import object_class
from minits.runtime.made_modules import assembled
from minits.runtime.script_module import RecursiveScriptModule
from minits.runtime.state_budget import StateBudget
from minits.types import types as t


def load(
    f: Any,
    map_location: str | torch.device | None = None,
    _extra_files: dict[str, Any] | None = None,
    _restore_shapes: bool = False,
    *,
    mmap: bool = True,
    limits: Limits = DEFAULT_LIMITS,
    module: str | None = None,
    remap_devices: bool = False,
) -> RecursiveScriptModule:
    """Load a module that `torch.jit.save` or `minits.save` has written.

    `f` is a path, or a file object with `read`. The tensors are put on `map_location`; without it
    where they were, if that device is here, and otherwise on the CPU, with a warning. With
    `remap_devices`, the devices that the code names (a trace takes those of its example for
    constants), and those in attributes, are put there too; torch.jit leaves them as they are.
    `_extra_files` is a dict whose values become the contents of the files of these names, `b""`
    where there is none. `_restore_shapes` has no effect: the recorded shapes are not needed.

    Of a path, weights of a MiB and more are mapped into memory: they are read when they are used,
    and what is written to them stays out of the file. Nobody may write over the file in place
    meanwhile (a file that is put in its place does no harm); `mmap=False` reads all at once.

    Of a `torch.package`, the TorchScript is read: `module` is the name of a pickle that was saved
    into it, `models/net.pkl`, or the number of a module; it is needed where there are several.

    An archive may come from anywhere: it is parsed within `limits`, and nothing of it is run but
    the `__setstate__` of its classes, within limits of steps, memory and operators.

    Raises `ArchiveError` for what is no such archive (for a folder, one that is a `ValueError`
    too), `InternalError` where minits itself is at fault, and `ValueError` where there is no file.
    """
    _require_file(f)
    device = _device(map_location)
    container = Container.open(f, limits, module)
    try:
        with gc_paused(), deep_recursion(), internal_errors("minits.load"):
            loaded: RecursiveScriptModule = read_module(
                container, _Maker(limits, container.length), device, mmap, remaps=remap_devices
            )
        if _extra_files:
            _extra_files.update({name: _extra_file(container, name) for name in _extra_files})
    finally:
        container.close()  # which the functions of the module would keep alive
    return loaded


def load_with_storages(archive: bytes, storages: Storages) -> RecursiveScriptModule:
    """Load a module whose archive lacks these storages. Raises `ArchiveError`."""
    limits = DEFAULT_LIMITS
    container = Container(memoryview(archive), limits)
    with gc_paused(), deep_recursion(), internal_errors("minits.load"):
        maker = _Maker(limits, container.length)
        loaded: RecursiveScriptModule = read_module(container, maker, storages=storages)
    return loaded


class FolderError(ArchiveError, ValueError):
    """A folder stands where an archive is to be: torch raises ValueError."""


def _extra_file(container: Container, name: str) -> bytes:
    record = f"extra/{name}"
    return bytes(container.read(record)) if record in container else b""


def _require_file(f: Any) -> None:
    if hasattr(f, "read"):
        return
    path = Path(f)
    if not path.exists():
        raise ValueError(f"The provided filename {f} does not exist")
    if path.is_dir():
        fix = "repack it: python -m zipfile -c archive.pt FOLDER"
        raise FolderError(f"The provided filename {f} is a directory", fix=fix)


def _device(map_location: Any) -> torch.device | None:
    if map_location is None or isinstance(map_location, torch.device):
        return map_location
    if isinstance(map_location, str):
        return torch.device(map_location)
    raise ValueError(
        "map_location should be either None, string or torch.device, but got type: "
        f"{type(map_location)}"
    )


class _Maker:
    """Makes the objects of the runtime's own classes, of the values read from an archive."""

    def __init__(self, limits: Limits, archive_size: int) -> None:
        size = limits.state_bytes + limits.state_bytes_each * archive_size
        self.budget = StateBudget(limits.state_steps, size)

    def script_class(self, type: t.ClassType) -> type:
        made = object_class(type)
        register(made, type)
        return made

    def module(self, info: ModuleInfo, values: dict[str, Any]) -> RecursiveScriptModule:
        return assembled(info, values)

    def spend(self, size: int) -> None:
        self.budget.spend(size)

    def call(self, function: CompiledFunction, *arguments: Any) -> None:
        self.budget.run(lambda: run(function.graph, *arguments, steps=self.budget))
