"""Methods of modules that are compiled: entry points, overloads, properties, those of containers.

Source: torch/jit/_recursive.py (`infer_methods_to_compile`, `get_property_stubs`).
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from torch import nn

from minits import torch_internals as internals
from minits.compilation_journal import enter
from minits.diagnostics import CompileError, Faults, error
from minits.frontend.modules.hooks import check_hooks
from minits.frontend.modules.method_stubs import STUBS, FunctionStub
from minits.frontend.python.compiled_functions import require_implementation
from minits.frontend.python.sources import located_at_class, statement_of
from minits.types import types as t
from minits.types.subtyping import what_is_missing
from minits.users_objects import module_state

if TYPE_CHECKING:
    from minits.frontend.modules.module_info import ModuleInfo


def add_overloads(module: nn.Module, info: ModuleInfo) -> None:
    """Methods declared with `_overload_method` become `name__0`, `name__1`, ...

    `__overloads__` of a class names methods that stand for one which is no method of the module's
    own: `{"forward": ["forward_packed", "forward_tensor"]}`, of quantized recurrent modules.
    """
    for name, others in getattr(type(module), "__overloads__", {}).items():
        info.type.overloads[name] = tuple(others)
    if not internals.has_overloaded_methods():
        return
    for name in dir(type(module)):
        method = getattr(type(module), name, None)
        if not inspect.isfunction(method) or method.__module__ is None:  # such as of torch.fx
            continue
        declarations = _overloads_of(method, type(module))
        if not declarations:
            continue
        require_implementation(method, "method", declarations)
        names = tuple(f"{name}__{number}" for number in range(len(declarations)))
        info.type.overloads[name] = names
        for overload, declaration in zip(names, declarations, strict=True):
            info.overload_declarations[overload] = (method, declaration)


def _overloads_of(method: Any, cls: type) -> list[Any] | None:
    """Return the overloads declared by `_overload_method`, or None. Raises `CompileError`."""
    try:
        return internals.overloads_of_method(method, cls)
    except AssertionError as why:
        fix = "give one of the classes another name"
        raise error(statement_of(cls), "TS614", str(why), fix=fix) from None


def forward_function(module: nn.Module) -> Any:
    """Return the function that `module.forward` calls, also where an instance has its own.

    None where it has none but nn.Module's, or one that is ignored.
    """
    forward = getattr(module, "forward", nn.Module.forward)  # torch.jit's may have none
    function = getattr(forward, "__func__", forward)
    is_missing = function is nn.Module.forward or internals.is_ignored(forward)
    return None if is_missing else function


def entry_points(module: nn.Module) -> Iterator[str]:
    """Yield the methods that are always compiled: forward, and those marked `@export`."""
    cls = type(module)
    if forward_function(module) is not None:
        yield "forward"
    skipped = {*getattr(module, "__jit_ignored_attributes__", ()), "forward"}
    for name, value in sorted((_members(cls) | vars(module)).items()):
        if internals.modifier_of(value) is internals.EXPORTED and name not in skipped:
            yield name


def _members(cls: type) -> dict[str, Any]:
    """Return the members of a class and its bases, by name, without calling descriptors."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        found.update(vars(base))
    return found


def add_entry_points(module: nn.Module, info: ModuleInfo) -> None:
    """Add the methods that are always compiled, whether anything calls them or not."""
    stubs = STUBS.get(type(module))
    if stubs is None:
        _add_methods(module, info)
    else:  # a class of compiled modules says itself what its methods are
        state = module_state(module)
        stubs = {**stubs, **(state.defined if state else {})}
        info.add_stubs([stubs[name] for name in sorted(stubs)])
    _add_properties(info)
    _add_container_methods(module, info)


def _add_methods(module: nn.Module, info: ModuleInfo) -> None:
    for name, (method, declaration) in info.overload_declarations.items():
        info.add_method(name, method, declaration)
    for name in entry_points(module):
        if name not in info.type.overloads:
            _add_method(info, name, getattr(module, name))


def _add_method(info: ModuleInfo, name: str, method: Any) -> None:
    if isinstance(method, FunctionStub):
        info.add_stubs([method])
    elif inspect.ismethod(method):
        info.add_method(name, method.__func__)
    elif inspect.isfunction(method):  # assigned to the module: its first parameter is `self`
        info.add_method(name, method)


def _add_properties(info: ModuleInfo) -> None:
    unused = getattr(info.cls, "__jit_unused_properties__", ())
    for name, value in sorted(_members(info.cls).items()):
        if not isinstance(value, property) or name in unused:
            continue
        if internals.is_dropped(value.fget) or _is_of_minits(value.fget):
            continue
        info.add_method(f"__{name}_getter", value.fget)
        setter = None
        if value.fset is not None:
            setter = f"__{name}_setter"
            info.add_method(setter, value.fset)
        info.type.properties[name] = (f"__{name}_getter", setter)


def _is_of_minits(function: Any) -> bool:
    """Return whether a function is minits' own, as the property `graph` of compiled modules."""
    return getattr(function, "__module__", "").partition(".")[0] == "minits"


def _add_container_methods(module: nn.Module, info: ModuleInfo) -> None:
    """Add `__len__` and, for a ModuleDict, `__contains__`: both return what is known statically."""
    if isinstance(module, (nn.ModuleList, nn.Sequential, nn.ModuleDict)):
        text = f"def __len__(self):\n   return {len(module)}\n"
        _add_once(info, "__len__", text)
    if isinstance(module, nn.ModuleDict):
        keys = list(module.keys())
        test = f"key in {keys!r}" if keys else "False"
        text = f"def __contains__(self, key: str):\n   return {test}\n"
        _add_once(info, "__contains__", text)


def _add_once(info: ModuleInfo, name: str, text: str) -> None:
    from minits.frontend.python.text_scope import define_method

    if name not in info.type.methods:
        enter(info.type.methods, name, define_method(text, info))


# ---- Compilation -------------------------------------------------------------------------------


def define_all(info: ModuleInfo) -> None:
    """Compile the methods and hooks of a type, those of submodules first.

    Raises `CompileError` with the faults of all of them.
    """
    faults = Faults()
    _define(info, set(), faults)
    faults.raise_all()


def _define(info: ModuleInfo, done: set[ModuleInfo], faults: Faults) -> None:
    if info in done:
        return
    done.add(info)
    for submodule in info.submodules.values():
        _define(submodule, done, faults)
    has_faults = False
    for method in list(info.type.methods.values()):
        try:
            method.ensure_defined()
        except CompileError as fault:
            faults.add(fault)
            has_faults = True
    if not has_faults:  # whose signatures are compared with that of forward
        try:
            check_hooks(info)
        except CompileError as fault:
            faults.add(located_at_class(fault, info.cls))


def define_as(info: ModuleInfo, interface: t.ClassType) -> None:
    """Compile a module that stands for an interface.

    Raises `CompileError` (TS613) if it lacks a method, or has one with another schema.
    """
    for name in interface.methods:
        if getattr(info.cls, name, None) is not nn.Module.forward:  # which only says that it lacks
            info.method(name)
    define_all(info)
    require_interface(info, interface)


def require_interface(info: ModuleInfo, interface: t.ClassType) -> None:
    """Raise `CompileError` (TS613) if a type does not implement an interface."""
    missing = what_is_missing(info.type, interface)
    if missing is not None:
        names = f"{info.cls.__name__} is not compatible with interface {interface.short_name}"
        promised = ", ".join(str(method.schema) for method in interface.methods.values())
        fix = f"the interface promises {promised}"
        raise error(statement_of(info.cls), "TS613", f"{names}: {missing}", fix=fix)
