"""The public API: `script`, and what takes programs otherwise."""

from __future__ import annotations

import inspect
from typing import Any

from torch import nn

from minits.collector import collector_paused
from minits.diagnostics import error
from minits.frontend.live import compile_function
from minits.frontend.script_classes import script_class
from minits.runtime.compilation_unit import CompilationUnit
from minits.runtime.script import ScriptFunction
from minits.runtime.script_containers import script_dict, script_list
from minits.runtime.script_module import ScriptModule, script_method, script_module
from minits.switch import is_enabled

__all__ = ["DIALECTS", "CompilationUnit", "script", "script_method"]

DIALECTS = ("torch", "extended")


@collector_paused()
def script(obj: Any, dialect: str = "torch") -> Any:
    """Compile a function or an nn.Module instance; share a list or dict with compiled code.

    Return a `ScriptFunction` for a function, a `ScriptModule` for a module, a `ScriptList` or
    `ScriptDict`, which compiled code takes without a copy, for a list or dict; what is compiled
    already is returned as it is, and so is everything where `MINITS_JIT=0` or `PYTORCH_JIT=0` is
    in the environment. `dialect="extended"` also accepts what docs/extensions.md lists.

    Raises `CompileError` with every fault of the program, `NotSupportedError` where its syntax is
    not TorchScript, and `ValueError` for an unknown dialect.
    """
    if dialect not in DIALECTS:
        raise ValueError(f"unknown dialect {dialect!r}; known are {', '.join(DIALECTS)}")
    if isinstance(obj, (ScriptFunction, ScriptModule)) or not is_enabled():
        return obj
    if isinstance(obj, nn.Module):
        prepared = obj.__prepare_scriptable__() if hasattr(obj, "__prepare_scriptable__") else obj
        return script_module(prepared, dialect)
    if isinstance(obj, list):
        return script_list(obj)
    if isinstance(obj, dict):
        return script_dict(obj)
    if inspect.isfunction(obj) or inspect.ismethod(obj):
        function = getattr(obj, "__func__", obj)
        return ScriptFunction(compile_function(function, dialect), function)
    if inspect.isclass(obj):
        return script_class(obj)
    raise error(
        None,
        "TS614",
        f"a {type(obj).__name__} cannot be compiled",
        fix="pass a function or an nn.Module instance",
    )
