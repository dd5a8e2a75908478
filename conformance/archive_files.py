"""Archives that lie in a folder, read by torch.jit and by minits: they must do the same.

    MODEL.pt -> torch.jit.load -> called with MODEL.input.pt
    MODEL.pt -> minits.load -> called -> save -> torch.jit.load -> called

The input is what `torch.save` wrote: a value, or a tuple of arguments. It may have a shorter name,
as in the folder `test/quantization/serialized` of PyTorch, where `test_linear.input.pt` is that of
`test_linear.scripted.pt` and of `test_linear.traced.pt`. It is unpickled, so take a folder that you
trust. An archive without an input must be read, and written so that torch reads it.
"""

from __future__ import annotations

import copy
import io
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

import minits
from conformance.values import encode

ENDINGS = (".pt", ".pth", ".ptl", ".ts", ".torchscript", ".jit")


def check_files(folder: Path) -> Iterator[tuple[str, str | None]]:
    """Yield the name of each archive that torch.jit reads, and what minits does otherwise."""
    for path in sorted(folder.iterdir()):
        if path.suffix not in ENDINGS:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded = _outcome(lambda path=path: torch.jit.load(path))
            if not isinstance(loaded, Exception):
                yield path.name, fault_of_file(path, loaded)


def fault_of_file(path: Path, by_torch: Any) -> str | None:
    """Return what minits does otherwise with an archive than the module torch.jit read of it."""
    arguments = _arguments(path)
    expected = _called(by_torch, arguments)
    loaded = _outcome(lambda: minits.load(path))
    if isinstance(loaded, Exception):
        return f"minits refuses it: {loaded}"
    again = _outcome(lambda: _saved_again(loaded))
    if isinstance(again, Exception):
        return f"it cannot be saved again: {again}"
    for title, module in (("called", loaded), ("saved again", again)):
        found = _called(module, arguments)
        if found != expected:
            return f"{title}: expected {str(expected)[:300]}, found {str(found)[:300]}"
    return None


def _outcome(act: Callable[[], Any]) -> Any:
    """Return what a function returns, or the exception that it raises."""
    try:
        return act()
    except Exception as problem:
        return problem


def _saved_again(loaded: Any) -> Any:
    buffer = io.BytesIO()
    minits.save(loaded, buffer)
    buffer.seek(0)
    return torch.jit.load(buffer)


def _arguments(path: Path) -> tuple[Any, ...] | None:
    """Return what to call the program of a file with; None if there is no file of it."""
    name = path.name
    while "." in name:
        name = name.rpartition(".")[0]
        file = path.with_name(f"{name}.input.pt")
        if file.exists():
            found = torch.load(file, weights_only=False)
            return found if isinstance(found, tuple) else (found,)
    return None


def _called(module: Any, arguments: tuple[Any, ...] | None) -> Any:
    """Return what a call returns, as data, or only that it raises."""
    if arguments is None:
        return None
    found = _outcome(lambda: module(*copy.deepcopy(arguments)))
    return "it raises" if isinstance(found, Exception) else encode(found)
