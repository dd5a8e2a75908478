"""Compiled modules.

`minits.script(module)` makes a `RecursiveScriptModule` of an nn.Module. A class that inherits from
`ScriptModule` says itself which of its methods are compiled, by `script_method` and `define`; its
objects are compiled when their `__init__` is done, and stay objects of that class.

Source: torch/jit/_script.py (`ScriptModule`, `RecursiveScriptModule`) and
torch/jit/_recursive.py (`create_script_module_impl`).
Differs: an object of torch's `ScriptModule` holds the compiled module; ours is it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from torch import nn

from minits import torch_internals as internals
from minits.frontend.modules.method_stubs import STUBS, FunctionStub, add_methods, text_stubs
from minits.frontend.modules.module_info import ModuleInfo
from minits.frontend.modules.module_methods import define_all, define_as
from minits.frontend.modules.module_types import (
    is_declared_attribute,
    module_info,
)
from minits.frontend.python.scopes import CallerScope
from minits.frontend.python.torch_jit_objects import taken_over
from minits.gc_pause import gc_paused
from minits.ir.graph import Graph
from minits.jit_enabled import is_enabled
from minits.lazily import lazily, shown_as
from minits.passes.remarks import Remark
from minits.recursion import deep_recursion
from minits.runtime import module_attributes
from minits.runtime.hook_tables import CompiledHook, watch_hooks
from minits.runtime.in_python import (
    is_exported_to_onnx,
    is_looked_into,
    method_in_python,
    uncompiled,
)
from minits.runtime.module_containers import ContainerMethods
from minits.runtime.overloads import NoForward, Overload, Overloads
from minits.runtime.script import ScriptFunction, ScriptMethod
from minits.runtime.script_variants import VariadicFunction, VariadicMethod
from minits.types import types as t
from minits.users_objects import ATTRIBUTE, ModuleState, known_info, module_state

if TYPE_CHECKING:
    from minits.archive.printing.constants import ConstantMap
    from minits.archive.writing.writer import ExtraFiles


F = TypeVar("F")
V = TypeVar("V")
_refuse_lite_interpreter = lazily("minits.runtime.saving:refuse_lite_interpreter")
_OF_FORWARD = ("graph", "inlined_graph", "code", "code_with_constants", "forward")
Parts = dict[tuple[int, int], tuple[nn.Module, nn.Module]]
"""Submodules and what was compiled of them, by the ids of a submodule and of its `ModuleInfo`."""


class _CompiledWhenMade(type):
    """Compiles the objects of a class when the outermost `__init__` has run."""

    def __init__(cls, name: str, bases: tuple[type, ...], members: Any, **kwargs: Any) -> None:
        super().__init__(name, bases, members, **kwargs)
        stubs = STUBS[cls] = {}
        for base in reversed(bases):
            stubs.update(STUBS.get(base) or {})
        for name, member in list(vars(cls).items()):
            if isinstance(member, FunctionStub):
                delattr(cls, name)  # so that `__getattr__` finds the compiled method
                stubs[member.name] = member

    if not TYPE_CHECKING:  # for whom a class takes what its `__init__` takes

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            module = super().__call__(*args, **kwargs)
            state: ModuleState | None = vars(module).get(ATTRIBUTE)
            if (state is None or state.info is None) and is_enabled():
                _compile(module)
            return module


class _CompiledForward:
    """`forward` where a class has no Python method of that name."""

    def __get__(self, module: Any, cls: type) -> Any:
        return self if module is None else method_of(module, "forward")


class _ForPython(Generic[V]):
    """A property that gives way to an attribute of a program's module that has its name."""

    def __init__(self, read: Callable[[Any], V]) -> None:
        self.read = read
        self.__doc__ = read.__doc__

    def __get__(self, module: Any, cls: type | None = None) -> V:
        return cast(V, self) if module is None else self.read(module)


class ScriptModule(nn.Module, metaclass=_CompiledWhenMade):  # type: ignore[misc]
    """A module whose methods are compiled; parameters, buffers and submodules are nn.Module's.

    Inherit from it to choose the methods: those that `script_method` marks, and what `define` is
    given. All others stay Python, and are compiled besides where compiled code calls them.
    """

    __jit_ignored_attributes__ = (ATTRIBUTE,)
    __jit_unused_properties__ = (
        "code", "code_with_constants", "graph", "inlined_graph", "original_name", "qualified_name",
    )  # fmt: skip
    """Read by torch.jit.trace, which gives submodules their attributes and compiles properties."""
    _repr_html_ = shown_as("module")

    def define(self, text: str) -> None:
        """Add the methods that a text defines. Names in the text are looked up in the caller.

        Raises `CompileError`, in `__init__` when that is done; `RuntimeError` where nothing is
        compiled. Modules of the same type get the methods too, unless these are defined in
        `__init__`.
        """
        if not is_enabled():
            raise RuntimeError(
                "methods that a text defines cannot run as plain Python: unset MINITS_JIT and "
                "PYTORCH_JIT, or write them as methods of the class"
            )
        stubs = text_stubs(text, CallerScope(sys._getframe(1)))
        state = _state(self)
        if state.info is None:
            state.defined.update((stub.name, stub) for stub in stubs)
        else:
            add_methods(state.info, stubs)

    # ---- Methods -------------------------------------------------------------------------------

    @internals.inlined_as(method_in_python)
    def compile_method(self, name: str) -> ScriptMethod | VariadicFunction:
        """Return a compiled method. Raises `CompileError`, or `AttributeError` if it has none."""
        state: ModuleState = self.__dict__.get(ATTRIBUTE) or _state(self)
        methods: dict[str, ScriptMethod | VariadicFunction] = state.methods
        if name not in methods:
            type = _info(self).type
            function = type.methods.get(name)
            if function is not None:
                made = VariadicMethod if function.is_variadic else ScriptMethod
                methods[name] = made(function, self)
            elif name in type.overloads:
                found = [method_of(self, each) for each in type.overloads[name]]
                methods[name] = Overloads(name, cast("list[Overload]", found), self)
            else:
                raise AttributeError(f"{_info(self).cls.__name__} has no compiled method '{name}'")
        return methods[name]

    @internals.constant_to_dynamo
    def prepare_method(self, name: str) -> None:
        """Make a compiled method, and the others: torch.compile looks once what is there."""
        for each in (name, *methods_of(self)):
            method_of(self, each)

    def method_names(self) -> list[str]:
        return methods_of(self)

    def overloads(self) -> dict[str, tuple[str, ...]]:
        """Return the names of the methods that are the overloads of one, by its name."""
        return dict(_info(self).type.overloads)

    forward = _CompiledForward()

    @_ForPython
    def graph(self) -> Graph:
        """The graph of `forward`. Raises `AttributeError` while torch.onnx.export runs."""
        if is_exported_to_onnx():
            raise AttributeError("torch.onnx.export reads attribute 'graph' as a graph of torch's")
        return _forward(self).graph

    @_ForPython
    def inlined_graph(self) -> Graph:
        return _forward(self).inlined_graph

    @_ForPython
    def code(self) -> str:
        return _forward(self).code

    @_ForPython
    def code_with_constants(self) -> tuple[str, ConstantMap]:
        return _forward(self).code_with_constants

    def plan_report(self) -> str:
        return _forward(self).plan_report()

    def warm_up(self, *args: Any, **kwargs: Any) -> None:
        """Build the plan and the kernels of calls with such arguments; the module does not run."""
        _forward(self).warm_up(*args, **kwargs)

    def graph_for(self, *args: Any, **kwargs: Any) -> Graph:
        return _forward(self).graph_for(*args, **kwargs)

    def remarks(self, *args: Any, **kwargs: Any) -> list[Remark]:
        return _forward(self).remarks(*args, **kwargs)

    # ---- Names ---------------------------------------------------------------------------------

    @_ForPython
    def original_name(self) -> str:
        """The name of the class that was compiled."""
        return _info(self).cls.__name__

    @_ForPython
    def qualified_name(self) -> str:
        """torch's name of the module's type."""
        return _info(self).type.name

    # ---- Attributes ----------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        state: ModuleState | None = self.__dict__.get(ATTRIBUTE)
        info: ModuleInfo | None = None if state is None else state.info
        if state is not None and info is not None:
            if name in state.lists:
                return [getattr(self, each) for each in state.lists[name]]
            if name in info.type.methods:
                return method_of(self, name)
            if name in info.type.properties:
                return method_of(self, info.type.properties[name][0])()
            if info.kind == "dict" and name in ("keys", "values", "items"):
                return getattr(self._modules, name)
            if name in info.type.overloads:
                return method_of(self, name)
            if name in state.in_python and is_looked_into():
                found = state.in_python[name]
                is_method = getattr(info.cls, name, None) is found
                return found.__get__(self) if is_method else found
            if name == "_c" and not any(
                name in table for table in (self._parameters, self._buffers, self._modules)
            ):
                from minits.runtime.module_view import ModuleView

                return ModuleView(self)
        if info is not None and name in _OF_FORWARD:
            forward = _forward(self)  # raises what a property has raised, as the next line does
            if isinstance(forward, Overloads):
                getattr(forward, name)
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        info: ModuleInfo | None = known_info(self)
        if info is not None:
            module_attributes.assign(self, info, name, value)
            return
        if is_declared_attribute(value):
            _state(self).declared[name] = value.type
            value = value.value
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        info: ModuleInfo | None = known_info(self)
        if info is not None:
            module_attributes.refuse_deletion(info, name)
        super().__delattr__(name)

    def __dir__(self) -> list[str]:
        info: ModuleInfo | None = known_info(self)
        compiled = [] if info is None else [*info.type.methods, *info.type.properties]
        return sorted({*super().__dir__(), *compiled})

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        table = self._buffers
        value = module_attributes.registered(self, "buffer", table, name, tensor)
        super().register_buffer(name, value, persistent)

    def register_parameter(self, name: str, param: Any) -> None:
        table = self._parameters
        value = module_attributes.registered(self, "parameter", table, name, param)
        super().register_parameter(name, value)

    def add_module(self, name: str, module: Any) -> None:
        info: ModuleInfo | None = known_info(self)
        if info is None:
            super().add_module(name, module)
        else:
            module_attributes.assign_module(self, info, name, module)

    # ---- Copies --------------------------------------------------------------------------------

    def save(self, f: Any, _extra_files: ExtraFiles | None = None) -> None:
        """Save the module (see `minits.save`)."""
        from minits.runtime.saving import save

        save(self, f, _extra_files)

    def save_to_buffer(self, _extra_files: ExtraFiles | None = None) -> bytes:
        """Return the bytes that `save` writes."""
        from minits.runtime.saving import save_to_buffer

        return save_to_buffer(self, _extra_files)

    _save_for_lite_interpreter = _save_to_buffer_for_lite_interpreter = _refuse_lite_interpreter

    def __prepare_scriptable__(self) -> nn.Module:
        """Return the module as it is in Python, for torch.jit.script. Raises `CompileError`."""
        return self if known_info(self) is None else uncompiled(self)

    def __copy__(self) -> ScriptModule:
        return module_attributes.copied(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> ScriptModule:
        return module_attributes.deeply_copied(self, memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Return the parts that pickle carries: an archive and tensors. Raises PicklingError."""
        if known_info(self) is None:  # where nothing is compiled
            return super().__reduce_ex__(protocol)
        from minits.runtime.pickling import module_parts

        return module_parts(self)


def _state(module: ScriptModule) -> ModuleState:
    """Return the state of a module; one that is being made gets it here."""
    state = module_state(module)
    if state is None:
        state = module.__dict__[ATTRIBUTE] = ModuleState()
    return state


def _forward(module: ScriptModule) -> ScriptMethod | VariadicFunction:
    """Return `forward`. Raises `NoForward` where there is none."""
    info = _info(module)
    if "forward" not in info.type.methods and "forward" not in info.type.overloads:
        raise NoForward(info.cls.__name__, list(info.type.methods))
    return method_of(module, "forward")


def method_of(module: ScriptModule, name: str) -> ScriptMethod | VariadicFunction:
    """Return a compiled method, of a module whose own attributes may have any names.

    Raises as `compile_method` does.
    """
    return ScriptModule.compile_method(module, name)


def methods_of(module: ScriptModule) -> list[str]:
    """Return the names of a module's compiled methods."""
    return list(_info(module).type.methods)


def _info(module: ScriptModule) -> ModuleInfo:
    """Return the info of a compiled module. Raises `AttributeError` while it is being made."""
    info: ModuleInfo | None = known_info(module)
    if info is None:
        raise AttributeError(f"this {type(module).__name__} is not compiled yet")
    return info


class RecursiveScriptModule(ContainerMethods, ScriptModule):
    """A compiled nn.Module, as `minits.script` returns it.

    Parameters and buffers are shared with the original, not copied. `parts` are the compiled
    modules that were made with it: a part with two names is one object, as in Python.
    """

    def __init__(self, original: nn.Module, info: ModuleInfo, parts: Parts | None = None) -> None:
        super().__init__()
        own = self.__dict__
        self._parameters.update(original._parameters)
        self._buffers.update(original._buffers)
        self._modules.update(original._modules)
        for name in internals.HOOKS_OF_GRADIENTS:
            own[name].update(vars(original)[name])
        for name, attribute in info.type.attributes.items():
            if not (attribute.is_parameter or attribute.is_buffer or name in self._modules):
                value = getattr(original, name)
                own[name] = value.value if is_declared_attribute(value) else value
        for name in info.type.constants:
            own.setdefault(name, getattr(original, name))
        module_attributes.keep_python(original, self, info.ignored)
        _finish(self, info, {} if parts is None else parts)
        own[ATTRIBUTE].in_python = module_attributes.python_parts(original, info)

    def extra_repr(self) -> str:
        return f"original_name={self.original_name}"


def script_method(function: F) -> F:
    """Mark a method of a `ScriptModule` subclass as one to compile.

    Raises `NotSupportedError` where its syntax is not TorchScript.
    """
    if not is_enabled():
        return function
    from minits.frontend.modules.method_stubs import function_stub

    body = sys._getframe(1)
    return cast(F, function_stub(function, CallerScope(body.f_back or body)))


@gc_paused()
@deep_recursion()
def _compile(module: ScriptModule) -> None:
    """Compile a module that has just been made, in place."""
    info = module_info(module)
    define_all(info)
    _finish(module, info, {})


def _finish(module: ScriptModule, info: ModuleInfo, parts: Parts) -> None:
    """Make a module that has all attributes of its type a compiled one."""
    own = module.__dict__
    for name, attribute in info.type.attributes.items():
        if name in own:
            own[name] = module_attributes.first_value(info, attribute, own[name])
    for name, child in module._modules.items():
        module._modules[name] = None if child is None else _compiled(child, info, name, parts)
    give_code(module, info)


def give_code(module: ScriptModule, info: ModuleInfo) -> None:
    """Give a module that has compiled submodules its methods and hooks."""
    registered = (module._forward_pre_hooks, module._forward_hooks)
    for own_hooks, compiled in zip(registered, info.hooks.compiled(info), strict=True):
        own_hooks.clear()
        made = [CompiledHook(ScriptFunction(each)) for each in compiled]
        own_hooks.update(enumerate(made, -len(made)))  # numbers below zero are of no handle
    watch_hooks(module)
    module_attributes.give_methods(module, info)


def _compiled(child: nn.Module, parent: ModuleInfo, name: str, parts: Parts) -> nn.Module:
    """Return a compiled submodule; one that the parent ignores stays as it is."""
    if name in parent.ignored:
        return child
    if internals.is_jit_module(child):
        child = taken_over(child)
    info = parent.submodules.get(name)
    if info is None:
        interface = parent.type.attributes[name].type
        assert isinstance(interface, t.ClassType)
        info = module_info(child, parent.dialect)
        define_as(info, interface)
    if isinstance(child, ScriptModule):
        return child
    key = id(child), id(info)
    if key not in parts:
        parts[key] = child, RecursiveScriptModule(child, info, parts)
    return parts[key][1]
