"""Compiled functions as Python functions, for tools of torch that look into what they call.

    torch.compile, strict torch.export   the Python function that was compiled, or, of an archive or
                                         a trace, one that is generated from the graph
    torch.jit.trace                      the operators of that function
    torch.jit.script                     the Python class of a module
    torch.fx                             one opaque call
    torch.func, torch.export, make_fx    the operators: `kernels/launch/observers.py`

torch.compile reads in a function what to trace in its place, and leaves the frames of a call that
it cannot trace alone. So no other call takes longer for it. `docs/with-other-tools.md` has more.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature
from types import MethodType
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.compiler import is_dynamo_compiling, is_exporting
from torch.overrides import handle_torch_function, has_torch_function

from minits.diagnostics import error
from minits.frontend.python.scopes import ClosureScope
from minits.frontend.values.function import CompiledFunction
from minits.ops.evaluate import as_operator
from minits.ops.schema import Schema
from minits.torch_internals import is_traced_by_torch
from minits.types import types as t
from minits.types.subtyping import union_members
from minits.users_objects import ATTRIBUTE, known_info

if TYPE_CHECKING:
    from minits.frontend.modules.module_info import ModuleInfo
    from minits.runtime.script import ScriptFunction


def python_of(function: CompiledFunction, original: Any, owner: Any = None) -> Callable[..., Any]:
    """Return a Python function that does the same; a method is bound to `owner`.

    That is the original, if there is one, and else one that is generated.
    """
    if original is not None:
        made: Callable[..., Any] = original
        return made
    return _Generated(function).bound_to(owner)


class _Generated:
    """A function that is generated from a graph, and takes arguments as its schema says."""

    def __init__(self, function: CompiledFunction) -> None:
        from minits.codegen.python import compile_graph
        from minits.passes.pipeline import run_pipeline
        from minits.passes.preoptimize import inlined

        graph = inlined(function.graph)
        run_pipeline(graph, "traced-sizes")  # a tensor's element would depend on data
        self.run: Any = compile_graph(graph, function.name)
        names = self.run.__globals__
        names.pop("__name__")  # torch.compile imports a module by it
        names.update({name: as_operator(each) for name, each in names.items()})
        arguments = function.schema.arguments
        self.names = [each.name for each in arguments]
        self.defaults = {each.name: each.default for each in arguments if each.has_default}

    def bound_to(self, owner: Any) -> Callable[..., Any]:
        run, names, defaults = self.run, self.names, self.defaults

        def generated(*args: Any, **kwargs: Any) -> Any:
            given = defaults | kwargs
            return run(*args, *[given[name] for name in names[len(args) :]])

        generated.__name__ = generated.__qualname__ = run.__name__
        generated.__code__ = generated.__code__.replace(
            co_filename=run.__code__.co_filename, co_firstlineno=run.__code__.co_firstlineno
        )
        return generated if owner is None else MethodType(generated, owner)


def warn_of_state(function: CompiledFunction, owner: Any) -> None:
    """Warn where what is exported keeps an attribute as it is now, though the program sets it.

    Exporters follow writes to tensors alone: numbers, strings and lists are constants to them.
    """
    if owner is None or not (is_exporting() or is_traced_by_torch()):
        return
    from minits.passes.preoptimize import inlined

    names = {
        str(node["name"]): node.inputs[1].type.annotation
        for node in inlined(function.graph).nodes_of_kind("prim::SetAttr")
        if t.TENSOR not in union_members(node.inputs[1].type)
    }
    for name, type in names.items():
        warnings.warn(
            f"{function.short_name} sets the attribute '{name}', of type {type}, which is a "
            "constant of what is exported, as it is now: keep it in a buffer, a tensor",
            stacklevel=3,
        )


def signature_of(schema: Schema, is_bound: bool) -> Signature:
    """Return the signature by which Python calls a function; a bound method has no `self`."""
    return Signature(
        [
            Parameter(
                each.name,
                Parameter.KEYWORD_ONLY if each.kwarg_only else Parameter.POSITIONAL_OR_KEYWORD,
                default=each.default if each.has_default else Parameter.empty,
            )
            for each in schema.arguments[1 if is_bound else 0 :]
        ]
    )


# ---- torch.compile -------------------------------------------------------------------------------


def call_in_python(self: ScriptFunction, *args: Any, **kwargs: Any) -> Any:
    """Stand, where torch.compile traces, in the place of the call of a compiled function."""
    self.prepare_python()
    return self._python(*args, **kwargs)


def method_in_python(self: Any, name: str) -> Any:
    """Stand, where torch.compile traces, in the place of `ScriptModule.compile_method`."""
    self.prepare_method(name)
    return self.__dict__[ATTRIBUTE].methods[name]


def is_looked_into() -> bool:
    """Return whether torch.compile or torch.jit.trace runs the Python code of compiled modules."""
    return bool(is_dynamo_compiling() or is_traced_by_torch())


# ---- torch.onnx ----------------------------------------------------------------------------------


def is_exported_to_onnx() -> bool:
    """Return whether torch.onnx.export runs, which traces a compiled module as one of Python's.

    It takes anything that has a `graph` for a module of torch.jit.
    """
    onnx = sys.modules.get("torch.onnx")
    return onnx is not None and onnx.is_in_onnx_export()


# ---- torch.jit.script ----------------------------------------------------------------------------


def uncompiled(module: Any) -> nn.Module:
    """Return a module of the class that was compiled, which shares parameters and buffers.

    Raises `CompileError` (TS614) where there is no such class: of a trace, an archive, or frozen.
    """
    info = known_info(module)
    methods = [function for function in info.type.methods.values() if not function.is_hook]
    if not all(each.is_as_written for each in methods):
        raise error(
            None,
            "TS614",
            f"{info.cls.__name__} is frozen, and has no Python class any more",
            fix="give torch.jit.script the module before it is frozen, and freeze the result by "
            "torch.jit.freeze",
        )
    if isinstance(module, info.cls) or not all(_has_source(each, info) for each in methods):
        raise error(
            None,
            "TS614",
            f"{module.original_name} has no Python class that torch.jit.script could compile",
            fix="save it with minits.save, and give torch.jit.script what torch.jit.load returns",
        )
    made: nn.Module = info.cls.__new__(info.cls)
    nn.Module.__init__(made)
    state = module.__dict__[ATTRIBUTE]
    parts = state.in_python
    functions = {name: value for name, value in parts.items() if not hasattr(info.cls, name)}
    own = {name: value for name, value in vars(module).items() if name in info.type.attributes}
    own.update((name, getattr(module, name)) for name in state.lists)
    made.__dict__.update({**functions, **info.type.constants, **own})
    if isinstance(made, nn.ParameterList):
        made._size = len(module._parameters)
    elif isinstance(made, nn.ParameterDict):
        made._keys = dict.fromkeys(module._parameters)
    made._parameters.update(module._parameters)
    made._buffers.update(module._buffers)
    for name, child in module._modules.items():
        is_ours = known_info(child) is not None
        made._modules[name] = uncompiled(child) if is_ours else child
    return made


def _has_source(function: CompiledFunction, info: ModuleInfo) -> bool:
    """Return whether a method is one of Python; a container's `__len__` was made from a text."""
    is_special = info.kind is not None and function.name.startswith("__")
    return isinstance(function.scope, ClosureScope) or is_special


# ---- torch.fx ------------------------------------------------------------------------------------


def by_torch_function(
    function: ScriptFunction, args: Sequence[Any], kwargs: Mapping[str, Any], refusal: Exception
) -> Any:
    """Let arguments that no compiled code takes, but that stand for tensors, make the call.

    Raises `refusal` where there are none.
    """
    given = (*args, *kwargs.values())
    if not has_torch_function(given):
        raise refusal
    proxies = [each for each in given if isinstance(each, torch.fx.Proxy)]
    owner = getattr(function, "_owner", None)
    if proxies and owner is not None:
        return _node(proxies[0].tracer, function, owner, tuple(args), dict(kwargs))
    return handle_torch_function(function, given, *args, **kwargs)


def _node(
    tracer: Any,
    method: ScriptFunction,
    owner: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Return the proxy of torch.fx for the result of a method of a submodule."""
    path = tracer.path_of_module(owner)
    if method.name in known_info(owner).type.forwards:
        return tracer.create_proxy("call_module", path, args, kwargs)
    module = tracer.create_proxy("get_attr", path, (), {})
    return tracer.create_proxy("call_method", method.name, (module, *args), kwargs)
