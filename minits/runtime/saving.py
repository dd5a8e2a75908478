"""Saving compiled modules and functions, to be loaded by `minits.load` or `torch.jit.load`.

Source: torch/jit/_serialization.py (`save`), torch/jit/_script.py (`RecursiveScriptModule.save`).
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any, NoReturn

from minits.archive.errors import SaveError
from minits.archive.writing.writer import (
    Contents,
    ExtraFiles,
    contents_of,
    to_bytes,
    to_path,
    to_stream,
)
from minits.frontend.values.function import CompiledFunction
from minits.internal_error import internal_errors
from minits.recursion import deep_recursion
from minits.runtime.plans import Plans
from minits.torch_internals import number_of_storage


def save(m: Any, f: Any, _extra_files: ExtraFiles | None = None) -> None:
    """Save a compiled module or function.

    f: a path, or an object with a method `write`, which gets the bytes. _extra_files: texts or
    bytes by names, which are saved with it.

    Raises `SaveError` before anything is written if a part of the program cannot be saved, and
    `OSError` if `f` does not take all bytes.
    """
    contents = _contents(m, _extra_files)
    if isinstance(f, (str, os.PathLike)):
        _warn_of_name(os.fsdecode(f))
        to_path(contents, os.fsdecode(f))
    else:
        to_stream(contents, f)


def save_to_buffer(m: Any, _extra_files: ExtraFiles | None = None) -> bytes:
    """Return the bytes that `save` writes. Raises `SaveError`."""
    return to_bytes(_contents(m, _extra_files))


def save_without(m: Any, holders: Mapping[int, str]) -> tuple[bytes, dict[str, str]]:
    """Return the bytes of an archive that lacks the storages which others hold.

    holders: their names by `storage_of`. They are returned besides, by the records that are left
    out. Raises `SaveError`.
    """
    contents = _contents(m, None)
    left_out = {}
    for index, storage in enumerate(contents.tensors):
        holder = holders.get(number_of_storage(storage))
        if holder is not None:
            left_out[f"data/{index}"] = holder
    return to_bytes(contents, left_out), left_out


def refuse_lite_interpreter(self: Any, *_args: Any, **_kwargs: Any) -> NoReturn:
    """Raise `SaveError`: files of torch's lite interpreter have bytecode, which torch writes."""
    raise SaveError(
        "minits writes no files for torch's lite interpreter (.ptl)",
        fix="minits.save(module, 'm.pt'), then "
        "torch.jit.load('m.pt')._save_for_lite_interpreter('m.ptl')",
    )


def _warn_of_name(path: str) -> None:
    """Warn where the name of a file says that it is for torch's lite interpreter."""
    if path.endswith(".ptl"):
        warnings.warn(
            f"{path} becomes an archive without bytecode, which torch's lite interpreter does not "
            f"load: torch.jit.load({path!r})._save_for_lite_interpreter(...) writes one with it",
            UserWarning,
            stacklevel=3,
        )


@internal_errors("minits.save")
@deep_recursion()
def _contents(m: Any, extra_files: ExtraFiles | None) -> Contents:
    return contents_of(m, _run, extra_files)


def _run(method: CompiledFunction, values: list[Any]) -> Any:
    return Plans(method).run(values)
