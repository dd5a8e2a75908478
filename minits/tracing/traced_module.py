"""The compiled module that a trace makes: the tree of submodules, each with a type of its own.

The module has the parameters, buffers and objects of C++ classes of the original, not copies of
them, and none of its methods: what is called while the program is recorded becomes one.

Source: torch/jit/_trace.py (`TracedModule`, `make_module`) and torch/csrc/jit/frontend/tracer.cpp
(`gatherParametersAndBuffers`).
"""

from __future__ import annotations

from typing import Any, cast

from torch import Tensor, nn

from minits import torch_internals as internals
from minits.diagnostics import error
from minits.frontend.modules.initialized import check_initialized
from minits.frontend.modules.method_stubs import STUBS
from minits.frontend.modules.module_info import ModuleInfo
from minits.frontend.modules.module_methods import define_all, entry_points
from minits.frontend.modules.module_types import module_info
from minits.frontend.python.torch_jit_objects import taken_over
from minits.identity import Identity
from minits.ir.graph import Value
from minits.ops.implementations.instances import slot_of
from minits.runtime.script_module import RecursiveScriptModule, ScriptModule
from minits.tracing.module_attributes import ATTRIBUTE, ROOT
from minits.tracing.recorder import Recorder
from minits.types import types as t
from minits.users_objects import known_info


def traced_module(original: nn.Module, is_compiled: bool = False) -> ScriptModule:
    """Return a compiled module without methods but exported ones; a compiled one stays as it is.

    is_compiled: exported methods of a module around this one may call its methods.

    Raises `CompileError` for a module that cannot be traced.
    """
    if isinstance(original, ScriptModule):
        return original
    if internals.is_jit_module(original):
        return cast("ScriptModule", taken_over(original))
    check_initialized(original)
    _check(original, is_compiled)
    is_compiled = has_exports(original) or (is_compiled and not _has_hooks(original))
    plain = _with_methods(original) if is_compiled else _without_methods(original)
    plain.training = original.training
    plain._parameters.update(_present(original._parameters, is_compiled))
    plain._buffers.update(_present(original._buffers, is_compiled))
    vars(plain).update(_cpp_objects(original))
    for name, child in _present(original._modules, is_compiled).items():
        plain._modules[name] = None if child is None else traced_module(child, is_compiled)
    info = module_info(plain)
    _add_exports(original, info)
    define_all(info)
    return RecursiveScriptModule(plain, info)


def _present(table: dict[str, Any], keeps_none: bool) -> dict[str, Any]:
    return {name: each for name, each in table.items() if keeps_none or each is not None}


def _cpp_objects(original: nn.Module) -> dict[str, Any]:
    """Return the attributes that are objects of C++ classes, by their names."""
    items = vars(original).items()
    return {name: value for name, value in items if isinstance(value, internals.CPP_OBJECT)}


def _without_methods(original: nn.Module) -> nn.Module:
    """Return a module of a class of the same name, which has no attributes."""
    cls = type(original)
    made: nn.Module = type(cls.__name__, (nn.Module,), {"__module__": cls.__module__})()
    return made


def _with_methods(original: nn.Module) -> nn.Module:
    """Return a module with the methods and attributes that exported methods may use.

    A method is compiled when another one calls it; `forward` is then another than the recorded one.
    """
    cls = type(original)
    like: Any = type(cls.__name__, (cls,), {"__module__": cls.__module__})
    STUBS[like] = {}
    plain: nn.Module = like.__new__(like)
    nn.Module.__init__(plain)
    vars(plain).update({n: v for n, v in vars(original).items() if n not in vars(plain)})
    return plain


def _add_exports(original: nn.Module, info: ModuleInfo) -> None:
    for name in entry_points(original):
        if name != "forward":
            method = getattr(original, name)
            info.add_method(name, getattr(method, "__func__", method))


def has_exports(module: nn.Module) -> bool:
    """Return whether methods are marked `@torch.jit.export`: they are compiled, not recorded."""
    return any(
        internals.modifier_of(value) is internals.EXPORTED
        for base in type(module).__mro__
        for value in vars(base).values()
    )


def _has_hooks(module: nn.Module) -> bool:
    """Return whether calls do more than `forward`: exported methods cannot call such a module."""
    return bool(module._forward_hooks or module._forward_pre_hooks)


def _check(module: nn.Module, is_compiled: bool) -> None:
    """Raise `CompileError` (TS825) for what no trace can have."""
    name = type(module).__name__
    if is_compiled and _has_hooks(module) and has_exports(module):
        raise error(
            None,
            "TS825",
            f"{name} has forward hooks, and exported methods around it may call it without them",
            fix="remove the hooks, or the marks @torch.jit.export",
        )
    if internals.has_backward_hooks(module):
        raise error(
            None,
            "TS825",
            f"{name} has backward hooks assigned, which a compiled module cannot have",
            fix="remove them before it is traced",
        )
    tensors = [*module._parameters.values(), *module._buffers.values()]
    ids = [id(each) for each in tensors if each is not None]
    if len(set(ids)) < len(ids):
        raise error(
            None,
            "TS825",
            f"{name} has one parameter or buffer under two names",
            fix="keep it under one name",
        )


def infos_of(module: ScriptModule) -> dict[t.ClassType, ModuleInfo]:
    """Return the `ModuleInfo` of each type that a module and its submodules have."""
    found: dict[t.ClassType, ModuleInfo] = {}
    for each in module.modules():
        info = known_info(each)
        if info is not None:
            found[info.type] = info
    return found


def add_module(recorder: Recorder, module: ScriptModule) -> None:
    """Make a module the first input of the graph, and its attributes values of the trace."""
    info: ModuleInfo = known_info(module)
    itself = recorder.graph.add_input("self", info.type)
    _add_attributes(recorder, module, itself, ROOT)


def _add_attributes(recorder: Recorder, module: ScriptModule, value: Value, path: str) -> None:
    """Record the attributes of a module and of its submodules; an interface has methods alone."""
    recorder.modules[Identity(module)] = value
    info: ModuleInfo = known_info(module)
    for name, attribute in info.type.attributes.items():
        held = slot_of(module, name)
        node = recorder.insert(ATTRIBUTE, types=[attribute.type])
        node.set_attr("scope", "s", f"{path}.{name}")
        if isinstance(held, Tensor):
            _bind_tensor(recorder, held, node.output)
        elif isinstance(held, internals.CPP_OBJECT):
            recorder.bind_object(held, node.output)
        elif isinstance(held, ScriptModule) and not t.is_interface(attribute.type):
            _add_attributes(recorder, held, node.output, f"{path}.{name}")


def _bind_tensor(recorder: Recorder, tensor: Tensor, value: Value) -> None:
    """Let a tensor be the first of the attributes that hold it.

    For each further attribute torch records a view that nobody uses, and reads the first one.
    """
    if recorder.knows(tensor):
        sizes = [recorder.constant(size) for size in tensor.shape]
        recorder.insert("aten::view", [recorder.value_of(tensor), recorder.list_of(sizes, t.INT)])
    else:
        recorder.bind_output(tensor, value)


def scope_names(module: nn.Module) -> dict[Identity, str]:
    """Return the path of each submodule; that of a shared one is the last."""
    names: dict[Identity, str] = {}

    def visit(parent: nn.Module, prefix: str) -> None:
        for name, child in parent.named_children():
            if not (isinstance(child, ScriptModule) or internals.is_jit_module(child)):
                names[Identity(child)] = f"{prefix}.{name}"
                visit(child, f"{prefix}.{name}")

    visit(module, ROOT)
    return names
