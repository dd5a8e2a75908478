"""Helpers: what minits saves, read by torch.jit."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import torch

import minits


def saved(program: Any) -> bytes:
    """Compile a program and return its archive."""
    content: bytes = minits.script(program).save_to_buffer()
    return content


def read_by_torch(content: bytes) -> Any:
    return torch.jit.load(io.BytesIO(content))


def records(content: bytes) -> dict[str, bytes]:
    """The records of an archive, by their names without the folder."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


def code(content: bytes) -> dict[str, str]:
    """The code files of an archive."""
    return {
        name.removeprefix("code/"): text.decode()
        for name, text in records(content).items()
        if name.endswith(".py")
    }


def require_same(program: Callable[..., Any], *arguments: Any) -> Any:
    """Save a function or module, and compare what torch.jit makes of it with minits; return it."""
    compiled = minits.script(program)
    loaded = read_by_torch(compiled.save_to_buffer())
    assert same(compiled(*arguments), loaded(*arguments))
    return loaded


def same(first: Any, second: Any) -> bool:
    """Whether two values are the same, NaN and the sign of zero included."""
    if isinstance(first, torch.Tensor):
        return isinstance(second, torch.Tensor) and _same_tensors(first, second)
    if isinstance(first, (list, tuple)):
        is_kin = isinstance(second, type(first)) or isinstance(first, tuple)
        return is_kin and len(first) == len(second) and all(map(same, first, second))
    if isinstance(first, dict):
        return list(first) == list(second) and all(map(same, first.values(), second.values()))
    return repr(first) == repr(second)


def _same_tensors(first: torch.Tensor, second: torch.Tensor) -> bool:
    facts = [
        (each.dtype, each.shape, each.layout, each.requires_grad, each.device)
        for each in (first, second)
    ]
    return facts[0] == facts[1] and repr(first) == repr(second)
