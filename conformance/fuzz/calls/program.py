"""A program of a history: a function or a module class, compiled as a whole once in a process."""

from __future__ import annotations

import linecache
import typing
import warnings
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor, nn

import minits
from conformance.fuzz.calls.forked import FORKED
from minits.runtime.script import ScriptFunction


class Program:
    """The text of `def program(...)` or `class Program(torch.nn.Module)`."""

    def __init__(self, text: str) -> None:
        self.text = text
        filename = f"<history {abs(hash(text)):x}>".replace("<", "").replace(">", "")
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
        self.namespace: dict[str, Any] = {
            "torch": torch,
            "nn": nn,
            "F": nn.functional,
            "Tensor": Tensor,
            "warnings": warnings,
            "__name__": "history",
            **{each.__name__: each for each in FORKED},
            **{name: getattr(typing, name) for name in ("Dict", "List", "Optional", "Tuple")},
        }
        exec(compile(text, filename, "exec"), self.namespace)
        self.is_module = "Program" in self.namespace
        self._first: Any = None

    def make(self) -> Any:
        """Return the function, or a new object of the module's class."""
        return self.namespace["Program"]() if self.is_module else self.namespace["program"]

    def compiled(self, made: Any) -> Any:
        """Compile a module; of a function, a copy that has not been called."""
        if self.is_module:
            return minits.script(made)
        if self._first is None:
            self._first = minits.script(made)
        return ScriptFunction(self._first._minits, made)


@lru_cache(maxsize=64)
def program_of(text: str) -> Program:
    return Program(text)
