"""minits: the TorchScript language, implemented again in readable Python.

`api.py` is the way in; docs/architecture.md is the map of the folders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "ArchiveError",
    "Attribute",
    "CompilationUnit",
    "CompileError",
    "Error",
    "Final",
    "FusionError",
    "Future",
    "InternalError",
    "NotSupportedError",
    "RecursiveScriptModule",
    "SaveError",
    "ScriptFunction",
    "ScriptModule",
    "TracerWarning",
    "TracingCheckError",
    "annotate",
    "enable_onednn_fusion",
    "exec_source",
    "export",
    "fork",
    "freeze",
    "fuser",
    "ignore",
    "interface",
    "is_scripting",
    "is_tracing",
    "isinstance",
    "load",
    "load_native",
    "onednn_fusion_enabled",
    "optimize_for_inference",
    "optimized_execution",
    "patch_torch_jit",
    "run_frozen_optimizations",
    "save",
    "script",
    "script_if_tracing",
    "script_method",
    "set_fusion_strategy",
    "strict_fusion",
    "trace",
    "trace_module",
    "unused",
    "wait",
]

if TYPE_CHECKING:
    from minits.api import script
    from minits.archive.errors import ArchiveError, SaveError
    from minits.diagnostics import CompileError, NotSupportedError
    from minits.executing import exec_source
    from minits.forms import (
        Attribute,
        Error,
        Final,
        Future,
        annotate,
        export,
        fork,
        ignore,
        is_scripting,
        is_tracing,
        isinstance,
        unused,
        wait,
    )
    from minits.freezing.freeze import freeze, optimize_for_inference, run_frozen_optimizations
    from minits.frontend.python.script_classes import interface
    from minits.internal_error import InternalError
    from minits.native_build.loading import load_native
    from minits.patching import patch_torch_jit
    from minits.runtime.compilation_unit import CompilationUnit
    from minits.runtime.executor_settings import (
        enable_onednn_fusion,
        fuser,
        onednn_fusion_enabled,
        optimized_execution,
        set_fusion_strategy,
    )
    from minits.runtime.loading import load
    from minits.runtime.saving import save
    from minits.runtime.script import ScriptFunction
    from minits.runtime.script_module import RecursiveScriptModule, ScriptModule, script_method
    from minits.runtime.strict_fusion import FusionError, strict_fusion
    from minits.tracing.check import TracingCheckError
    from minits.tracing.script_if_tracing import script_if_tracing
    from minits.tracing.trace import trace, trace_module
    from minits.tracing.warning import TracerWarning

_FORMS = (
    "Attribute Error Final Future annotate export fork ignore is_scripting is_tracing isinstance "
    "unused wait"
).split()
_FREEZING = ("freeze", "optimize_for_inference", "run_frozen_optimizations")
_SETTINGS = (
    "enable_onednn_fusion fuser onednn_fusion_enabled optimized_execution set_fusion_strategy"
).split()
_HOMES = {
    **dict.fromkeys(_FORMS, "minits.forms"),
    **dict.fromkeys(_SETTINGS, "minits.runtime.executor_settings"),
    **dict.fromkeys(_FREEZING, "minits.freezing.freeze"),
    "ArchiveError": "minits.archive.errors",
    "InternalError": "minits.internal_error",
    "exec_source": "minits.executing",
    "interface": "minits.frontend.python.script_classes",
    "load": "minits.runtime.loading",
    "load_native": "minits.native_build.loading",
    "patch_torch_jit": "minits.patching",
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
    "script_if_tracing": "minits.tracing.script_if_tracing",
    "trace": "minits.tracing.trace",
    "trace_module": "minits.tracing.trace",
    "TracerWarning": "minits.tracing.warning",
    "TracingCheckError": "minits.tracing.check",
    "load_ipython_extension": "minits.notebook.magic",  # which `%load_ext minits` calls
}


if not TYPE_CHECKING:  # which know the names above, and so find misspelt ones

    def __getattr__(name: str) -> Any:
        """Import public names when they are first used: `import minits` alone is quick.

        Raises AttributeError.
        """
        if name not in _HOMES:
            from minits.torch_jit_names import ABSENT

            reason = f": torch.jit.{name} {ABSENT[name]}" if name in ABSENT else ""
            raise AttributeError(f"module 'minits' has no attribute '{name}'{reason}")
        from importlib import import_module

        from minits.gc_pause import gc_paused

        with gc_paused():  # torch fills the heap: one full collection outweighs all the imports
            return getattr(import_module(_HOMES[name]), name)
