"""Making compiled modules: of an nn.Module, or of what an archive holds.

    script_module(prepared(module, {}), "torch")      what `minits.script(module)` returns
    assembled(info, {"weight": weight})               what `minits.load` returns

Source: torch/jit/_recursive.py (`create_script_module`) and torch/jit/_script.py (`script`).
"""

from __future__ import annotations

from typing import Any

from torch import nn

from minits import torch_internals as internals
from minits.compilation_journal import whole_or_nothing
from minits.frontend.modules.module_info import ModuleInfo
from minits.frontend.modules.module_methods import define_all
from minits.frontend.modules.module_types import module_info
from minits.gc_pause import gc_paused
from minits.identity import Identity
from minits.recursion import deep_recursion
from minits.runtime.script_module import RecursiveScriptModule, ScriptModule, give_code
from minits.types import types as t


def prepared(module: nn.Module, known: dict[Identity, nn.Module]) -> nn.Module:
    """Return the module that is compiled in a module's place: that of `__prepare_scriptable__`.

    Without that method it is the module itself. Submodules are replaced in their parent, as in
    torch. `known` maps modules that are done to what replaces them.
    """
    key = Identity(module)
    if key in known or isinstance(module, ScriptModule) or internals.is_jit_module(module):
        return known.get(key, module)
    made = module.__prepare_scriptable__() if hasattr(module, "__prepare_scriptable__") else module
    known[key] = made
    children = vars(made).get("_modules", {})  # none where it is not initialized
    for name, child in children.items():
        if child is not None:
            children[name] = prepared(child, known)
    return made


@gc_paused()
@deep_recursion()
@whole_or_nothing()
def script_module(original: nn.Module, dialect: str) -> RecursiveScriptModule:
    """Compile a module: its type, and every entry point of it and its submodules."""
    info = module_info(original, dialect)
    define_all(info)
    return RecursiveScriptModule(original, info)


def assembled(info: ModuleInfo, values: dict[str, Any]) -> RecursiveScriptModule:
    """Return a module of a compiled type, with these values of its attributes, unchecked.

    The module's methods are to set the attributes that are missing. A module whose code has no
    `training`, such as a frozen one, is in evaluation mode.
    """
    made = RecursiveScriptModule.__new__(RecursiveScriptModule)
    nn.Module.__init__(made)
    own = made.__dict__
    own["training"] = False
    for name, attribute in info.type.attributes.items():
        is_module = isinstance(attribute.type, t.ClassType) and attribute.type.is_module
        if attribute.is_parameter:
            made._parameters[name] = values.get(name)
        elif attribute.is_buffer:
            made._buffers[name] = values.get(name)
        elif is_module or isinstance(values.get(name), ScriptModule):
            made._modules[name] = values.get(name)
        elif name in values:
            own[name] = values[name]
    for name, constant in info.type.constants.items():
        own.setdefault(name, constant)
    give_code(made, info)
    return made
