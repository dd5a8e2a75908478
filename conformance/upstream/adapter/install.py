"""Put minits in the place of torch.jit, in this process."""

from __future__ import annotations

import inspect
from typing import Any

import torch
from torch.jit import frontend

import minits
from conformance.upstream.adapter import entry_points
from conformance.upstream.adapter.helpers import install_helpers
from conformance.upstream.adapter.missing import forgiving, missing, missing_class
from conformance.upstream.adapter.passes import install_passes
from conformance.upstream.adapter.views import install_views
from minits.ops.errors import ScriptRaise

_KEPT = (
    # what leaves marks on Python objects, which minits reads
    "export ignore unused Final annotate Attribute _overload _overload_method _drop "
    "_IgnoreContextManager "
    # what is plain Python
    "is_scripting is_tracing isinstance _isinstance _unwrap_optional script_if_tracing "
    "_script_if_tracing Future fork wait _fork _wait _flatten "
    "_unique_state_dict "
    # settings of torch's executor and classes of its warnings
    "optimized_execution TracerWarning TracingCheckError ScriptWarning set_module contextmanager "
    "Any Iterator"
).split()

_COMPILERS = (
    "_jit_script_compile _jit_script_compile_overload _jit_script_class_compile "
    "_jit_script_interface_compile _create_function_from_graph _create_function_from_trace "
    "_create_function_from_trace_with_dict import_ir_module import_ir_module_from_buffer "
    "_import_ir_module_from_package parse_ir CompilationUnit"
).split()
"""The ways into torch's own compiler: closed, so that no test passes by them."""


def install() -> None:
    """Replace torch.jit's entry points, its compiler's, and the test classes' helpers."""
    remove()
    for name, replacement in _replacements().items():
        setattr(torch.jit, name, replacement)
    frontend.NotSupportedError = minits.NotSupportedError
    frontend.FrontendError = frontend.UnsupportedNodeError = minits.CompileError
    install_helpers()
    install_passes()
    install_views()


def remove() -> None:
    """Close torch.jit's entry points and its compiler's: a test that goes on passes without."""
    for name, member in vars(torch.jit).copy().items():
        if name.startswith("__") or inspect.ismodule(member) or name in _KEPT:
            continue
        made = missing_class if inspect.isclass(member) else missing
        setattr(torch.jit, name, made(f"torch.jit.{name}"))
    for name in _COMPILERS:
        if hasattr(torch._C, name):
            setattr(torch._C, name, missing(f"torch._C.{name}"))


def _replacements() -> dict[str, Any]:
    """The replacements for torch.jit's names: every public one that minits has as well."""
    found: dict[str, Any] = {
        name: getattr(minits, name)
        for name in (*minits.__all__, "trace", "trace_module", "load", "save")
        if hasattr(minits, name) and hasattr(torch.jit, name)
    }
    return {
        **found,
        "script": forgiving(entry_points.script),
        "interface": forgiving(minits.interface),
        "Error": ScriptRaise,
    }
