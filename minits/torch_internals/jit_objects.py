"""Functions and modules that torch.jit has compiled; a torch without torch.jit makes none."""

from __future__ import annotations

import sys
from typing import Any

import torch

SCRIPT_FUNCTION: Any = torch._C.ScriptFunction
SCRIPT_METHOD: Any = torch._C.ScriptMethod
"""The classes of compiled functions and of methods that are bound to their module, 1.13."""

_SCRIPT_MODULE: Any = getattr(sys.modules.get("torch.jit._script"), "ScriptModule", ())
_COMPILED = frozenset(("_c", "_actual_script_module"))
"""Attributes of modules that torch.jit has compiled, of which those not initialised have none."""


def is_jit_module(value: Any) -> bool:
    """Return whether torch.jit has compiled a module, or traced it, 1.13."""
    return isinstance(value, _SCRIPT_MODULE) and not _COMPILED.isdisjoint(vars(value))


def is_jit_object(value: Any) -> bool:
    """Return whether torch.jit has made a module or a function."""
    return isinstance(value, SCRIPT_FUNCTION) or is_jit_module(value)


def script_object(module: Any) -> Any:
    """Return the C++ object of a module of torch.jit, which is what its methods are bound to."""
    return module._c


def original_of(value: Any) -> Any:
    """Return the Python function of one that torch.jit.script compiled; any other value as it is.

    Since 2.0. A traced function has its original, too, but is no compilation of its source: torch
    remembers what that was compiled to. Without it: the function is read from its archive.
    """
    state: Any = sys.modules.get("torch.jit._state")
    if not isinstance(value, SCRIPT_FUNCTION) or state is None:
        return value
    original = getattr(value, "_torchdynamo_inline", None)
    if original is None:
        return value
    known = state._try_get_jit_cached_function(original)
    is_script = known is not None and known.qualified_name == value.qualified_name
    return original if is_script else value
