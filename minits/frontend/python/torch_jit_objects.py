"""Modules and functions that torch.jit has compiled, where a program holds one.

A function that `torch.jit.script` made has its Python function, which is compiled; all others are
read from the archive that torch writes of them. That is done in the runtime, which can read
archives and stands above the front end: so it is asked by name, and imported where there is such an
object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits import torch_internals as internals
from minits.lazily import lazily

taken_over: Callable[[Any], Any] = lazily("minits.runtime.taken_over:taken_over")
"""Returns what stands for a module or function of torch.jit. Raises `CompileError` (TS614)."""


def callable_of(value: Any) -> Any:
    """Return the Python or compiled function that stands for a function of torch.jit.

    Any other value is returned as it is. Raises `CompileError` (TS614).
    """
    if not isinstance(value, internals.SCRIPT_FUNCTION):
        return value
    original = internals.original_of(value)
    return taken_over(value) if original is value else original
