"""The compiled module that a trace is of: the tree of submodules, each with a type of its own.

It has the parameters and buffers of the original, not copies of them, and none of its methods: what
is called while the program is recorded becomes one.

Source: torch/jit/_trace.py (`TracedModule`, `make_module`) and torch/csrc/jit/frontend/tracer.cpp
(`gatherParametersAndBuffers`).
"""

from __future__ import annotations

from typing import Any, cast

from torch import Tensor, nn

from minits import torch_internals as internals
from minits.diagnostics import error
from minits.frontend.modules.module_info import ModuleInfo
from minits.frontend.modules.module_methods import define_all
from minits.frontend.modules.module_types import check_initialized, module_info
from minits.frontend.python.torch_jit_objects import taken_over
from minits.ir.graph import Value
from minits.runtime.script_module import RecursiveScriptModule, ScriptModule
from minits.tracing.module_attributes import ATTRIBUTE, ROOT
from minits.tracing.recorder import Recorder
from minits.types import types as t
from minits.users_objects import known_info


def traced_module(original: nn.Module) -> ScriptModule:
    """Return a compiled module without methods; one that is compiled stays as it is.

    Raises `CompileError` for a module that cannot be traced.
    """
    if isinstance(original, ScriptModule):
        return original
    if internals.is_jit_module(original):
        return cast("ScriptModule", taken_over(original))
    check_initialized(original)
    _check(original)
    plain = _class_like(original)()
    if has_exports(original):  # methods that are compiled may read any attribute
        vars(plain).update({n: v for n, v in vars(original).items() if n not in vars(plain)})
    plain.training = original.training
    plain._parameters.update({n: p for n, p in original._parameters.items() if p is not None})
    plain._buffers.update({n: b for n, b in original._buffers.items() if b is not None})
    for name, child in original._modules.items():
        if child is not None:
            plain._modules[name] = traced_module(child)
    info = module_info(plain)
    define_all(info)
    return RecursiveScriptModule(plain, info)


def _class_like(original: nn.Module) -> type[nn.Module]:
    """Return a class of the same name, without methods but for what exported ones may call."""
    cls = type(original)
    members: dict[str, Any] = {}
    if has_exports(original):
        for base in reversed(cls.__mro__[: cls.__mro__.index(nn.Module)]):
            members.update(vars(base))
        for name in ("forward", "__init__", "__dict__", "__weakref__"):
            members.pop(name, None)
    return type(cls.__name__, (nn.Module,), {**members, "__module__": cls.__module__})


def has_exports(module: nn.Module) -> bool:
    """Return whether methods are marked `@torch.jit.export`: they are compiled, not recorded."""
    return any(
        internals.modifier_of(value) is internals.EXPORTED
        for base in type(module).__mro__
        for value in vars(base).values()
    )


def _check(module: nn.Module) -> None:
    """Raise `CompileError` (TS825) for what no trace can have."""
    name = type(module).__name__
    if module._backward_hooks:
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
    """Make a module the first input of the graph, and all it has values of the trace."""
    info: ModuleInfo = known_info(module)
    itself = recorder.graph.add_input("self", info.type)
    _add_attributes(recorder, module, itself, ROOT)


def _add_attributes(recorder: Recorder, module: ScriptModule, value: Value, path: str) -> None:
    """Record what a module has, but not what is behind an interface, which has methods alone."""
    recorder.modules[id(module)] = value
    info: ModuleInfo = known_info(module)
    for name, attribute in info.type.attributes.items():
        held = module.get_slot(name)
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

    For another one torch records a view of it, which nobody uses; it has the first one read.
    """
    if recorder.knows(tensor):
        sizes = [recorder.constant(size) for size in tensor.shape]
        recorder.insert("aten::view", [recorder.value_of(tensor), recorder.list_of(sizes, t.INT)])
    else:
        recorder.bind_output(tensor, value)


def scope_names(module: nn.Module) -> dict[int, str]:
    """Return the path of each submodule, by its id; that of a shared one is the last."""
    names: dict[int, str] = {}

    def visit(parent: nn.Module, prefix: str) -> None:
        for name, child in parent.named_children():
            if not (isinstance(child, ScriptModule) or internals.is_jit_module(child)):
                names[id(child)] = f"{prefix}.{name}"
                visit(child, f"{prefix}.{name}")

    visit(module, ROOT)
    return names
