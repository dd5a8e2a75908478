"""minits: the TorchScript language, implemented again in readable Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "ArchiveError",
    "CompilationUnit",
    "CompileError",
    "FusionError",
    "InternalError",
    "NotSupportedError",
    "RecursiveScriptModule",
    "SaveError",
    "ScriptFunction",
    "ScriptModule",
    "interface",
    "load",
    "save",
    "script",
    "script_method",
    "strict_fusion",
]

if TYPE_CHECKING:
    from minits.api import script
    from minits.archive.errors import ArchiveError, SaveError
    from minits.diagnostics import CompileError, NotSupportedError
    from minits.frontend.python.script_classes import interface
    from minits.internal_error import InternalError
    from minits.runtime.compilation_unit import CompilationUnit
    from minits.runtime.loading import load
    from minits.runtime.saving import save
    from minits.runtime.script import ScriptFunction
    from minits.runtime.script_module import RecursiveScriptModule, ScriptModule, script_method
    from minits.runtime.strict_fusion import FusionError, strict_fusion

_HOMES = {
    "ArchiveError": "minits.archive.errors",
    "InternalError": "minits.internal_error",
    "interface": "minits.frontend.python.script_classes",
    "load": "minits.runtime.loading",
    "save": "minits.runtime.saving",
    "SaveError": "minits.archive.errors",
    "script": "minits.api",
    "script_method": "minits.runtime.script_module",
    "CompilationUnit": "minits.runtime.compilation_unit",
    "CompileError": "minits.diagnostics",
    "FusionError": "minits.runtime.strict_fusion",
    "strict_fusion": "minits.runtime.strict_fusion",
    "NotSupportedError": "minits.diagnostics",
    "ScriptFunction": "minits.runtime.script",
    "ScriptModule": "minits.runtime.script_module",
    "RecursiveScriptModule": "minits.runtime.script_module",
}


def __getattr__(name: str) -> Any:
    """Import public names when they are first used: `import minits` alone is quick.

    Raises AttributeError.
    """
    if name not in _HOMES:
        raise AttributeError(f"module 'minits' has no attribute '{name}'")
    from importlib import import_module

    from minits.gc_pause import gc_paused

    with gc_paused():  # torch fills the heap: one full collection outweighs all the imports
        return getattr(import_module(_HOMES[name]), name)
