"""Traces that minits records: the dispatch key and the questions of torch's Python code.

Without them: an ordinary dispatch mode, which sees `linear` as `t` and `addmm`, and no sizes.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import torch


def pre_dispatch_mode() -> Any:
    """Return a class of dispatch modes that torch admits at the PreDispatch key, 2.2."""
    from torch._subclasses.schema_check_mode import SchemaCheckMode

    return SchemaCheckMode


PRE_DISPATCH: Any = getattr(torch._C.DispatchKey, "PreDispatch", None)
"""The dispatch key before all others, 2.1."""

python_dispatcher: Any = torch._C._EnablePythonDispatcher
"""Context manager in which operators ask Python for their kernels, 2.0."""


def tracing_hooks() -> dict[tuple[Any, str], Any]:
    """Return the functions by which torch's Python code asks whether a trace runs, 1.13.

    They are given by the object that has them and their name.

    nn.functional asks `_is_tracing`, nn.Module `_get_tracing_state`, whose answer it tells which
    module is entered, by the table of names in `torch.jit`, `interpolate` computes sizes by
    `torch.floor`, and `torch.jit.fork` and `wait` call functions of C++, as `Function.apply` does.
    `torch._check` and its kin call `_check_with`, and distributions ask `_extended_shape` for the
    shapes of samples.
    Without them: modules are recorded as parts of those that call them, forked calls as calls, and
    of an autograd.Function its operators.
    """
    import_module("torch._dynamo")  # which remembers what has these names when it is imported
    names = ("_get_tracing_state", "_is_tracing", "fork", "wait")
    hooks: list[tuple[Any, str]] = [
        *((torch._C, name) for name in names),
        (torch, "floor"),
        (torch, "_check_with"),
    ]
    distribution = sys.modules.get("torch.distributions.distribution")
    if distribution is not None:
        hooks.append((distribution.Distribution, "_extended_shape"))
    trace = getattr(getattr(torch, "jit", None), "_trace", None)
    hooks += [(trace, "_trace_module_map"), (trace, "script")] if trace is not None else []
    found = {(each, name): getattr(each, name) for each, name in hooks if hasattr(each, name)}
    apply = vars(torch._C._FunctionBase)["apply"]
    return {**found, (torch.autograd.function._SingleLevelFunction, "apply"): apply}


no_python_dispatcher: Any = torch._C._DisablePythonDispatcher
"""Context manager in which they do not, 2.0: Python's kernels draw other random numbers."""
