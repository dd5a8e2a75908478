"""A program to compile, and the calls that are made of it."""

from __future__ import annotations

import linecache
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha1
from types import FunctionType, ModuleType
from typing import Any

import torch
from torch import Tensor

_UNDEFINED = (
    "empty", "resize", "new_", "::set", "pack_gemm_matrix_fp16", "_mkl_reorder_linear_weight",
)  # fmt: skip
"""Parts of the names of operators whose results have elements that no argument tells.

Packed weights have gaps: of those of `_mkl_reorder_linear_weight`, eager gives others each time."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one call."""

    args: tuple[Any, ...] = ()
    kwargs: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """A program: `make` makes what is compiled, and each of `calls` is made of it in turn."""

    name: str
    make: Callable[[], Any]
    calls: tuple[Arguments, ...]
    text: str = ""
    is_defined: bool = True
    """Whether the elements of results are told by the arguments."""

    def __str__(self) -> str:
        shown = "\n".join([f"on {call.args}" for call in self.calls])
        return f"{self.name}\n{self.text}{shown}"


def of_text(name: str, text: str, calls: Sequence[tuple[Any, ...]]) -> Program:
    """Return the program that a text defines as the function `program`."""
    is_defined = not any(word in part for word in _UNDEFINED for part in (name, text))
    arguments = tuple([Arguments(tuple(call)) for call in calls])
    return Program(name, lambda: function_of(text), arguments, text, is_defined)


def function_of(text: str) -> FunctionType:
    """Return the function `program` of a text as a live one, with its source at hand."""
    name = f"samples_{sha1(text.encode()).hexdigest()}"
    filename = f"/samples/{name}.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    module = ModuleType(name)
    names = {name: getattr(typing, name) for name in ("Any", "Dict", "List", "Optional", "Tuple")}
    module.__dict__.update(names, torch=torch, Tensor=Tensor)
    exec(compile(text, filename, "exec"), module.__dict__)
    function: FunctionType = module.__dict__["program"]
    return function
