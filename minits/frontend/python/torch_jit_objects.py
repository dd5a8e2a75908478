"""Modules and functions that torch.jit has compiled, where a program holds one.

A function that `torch.jit.script` made has its Python function, which is compiled; all others are
read from the archive that torch writes of them. The runtime does that, which reads archives; it has
told the state of compilation how.
"""

from __future__ import annotations

from typing import Any

from minits import torch_internals as internals
from minits.compilation_state import STATE


def taken_over(original: Any) -> Any:
    """Return a compiled module or function in the place of one of torch.jit.

    Raises `CompileError` (TS614).
    """
    return STATE.take_over(original)


def callable_of(value: Any) -> Any:
    """Return the Python or compiled function that stands for a function of torch.jit.

    Any other value is returned as it is. Raises `CompileError` (TS614).
    """
    if not isinstance(value, internals.SCRIPT_FUNCTION):
        return value
    original = internals.original_of(value)
    return taken_over(value) if original is value else original
