"""Functions and modules that torch.jit has compiled; a torch without torch.jit makes none."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
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


# ---- The patch ------------------------------------------------------------------------------


def classes_of_compiled() -> dict[str, Any]:
    """Return the classes of what torch.jit compiles, by their names in `torch.jit`, 1.13."""
    jit: Any = sys.modules["torch.jit._script"]
    names = ("ScriptModule", "RecursiveScriptModule", "ScriptFunction")
    return {name: getattr(jit, name) for name in names}


def places_of_script_function() -> list[tuple[Any, str]]:
    """Return where else the class of compiled functions is asked for, 1.13."""
    return [(torch._C, "ScriptFunction")]


def files_of_torch_jit() -> list[Any]:
    """Return torch's own files that read `torch.jit` while they compile, 1.13."""
    names = ("torch.jit.", "torch._jit_internal")
    found = [file for name, file in sys.modules.items() if name.startswith(names)]
    return [file for file in found if vars(file).get("torch") is torch]


@contextmanager
def modules_count_as_torchs(ours: Any) -> Iterator[None]:
    """Let isinstance of torch's own classes of modules be true of modules of minits, 1.13.

    Other files hold these classes under `torch.jit._script`, where torch itself makes objects.
    """
    meta: Any = sys.modules["torch.jit._script"].ScriptMeta
    known = classes_of_compiled()
    both = (known["ScriptModule"], known["RecursiveScriptModule"])

    def check(cls: Any, value: Any) -> bool:
        found = type.__instancecheck__(cls, value)
        return found or (cls in both and type.__instancecheck__(ours, value))

    before = vars(meta).get("__instancecheck__")
    meta.__instancecheck__ = check
    try:
        yield
    finally:
        if before is None:
            del meta.__instancecheck__
        else:
            meta.__instancecheck__ = before
