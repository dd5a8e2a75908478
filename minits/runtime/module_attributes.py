"""Attributes of compiled modules, assigned from Python; copies of such modules.

Compiled code relies on the types of attributes: a value that is assigned becomes one of the
attribute's type, or is refused.

Source: torch/jit/_script.py (`RecursiveScriptModule.__setattr__`, `OrderedModuleDict`).
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Container
from typing import TYPE_CHECKING, Any

from torch import nn
from torch.compiler import is_dynamo_compiling

from minits import torch_internals as internals
from minits.diagnostics import CompileError, error
from minits.frontend.modules.module_info import ModuleInfo
from minits.frontend.modules.module_methods import require_interface
from minits.frontend.python.sources import assignment_of
from minits.ops.from_python import converter
from minits.ops.implementations.instances import set_slot
from minits.ops.numbers_from_python import Unfit
from minits.runtime.arguments import result_converter
from minits.runtime.hook_tables import HookTable
from minits.types import types as t
from minits.types.subtyping import is_subtype
from minits.users_objects import ATTRIBUTE, ModuleState, known_info

if TYPE_CHECKING:
    from minits.runtime.script_module import ScriptModule

_TABLES = frozenset(name for name, value in vars(nn.Module()).items() if isinstance(value, dict))
"""nn.Module's own dicts: parameters, buffers, submodules, hooks."""


class AttributeRefused(RuntimeError):
    """An attribute of a compiled module cannot be set or deleted like this."""


def assign(module: ScriptModule, info: ModuleInfo, name: str, value: Any) -> None:
    """Set an attribute from Python. Raises `AttributeRefused`."""
    target = f"{info.cls.__name__}.{name}"
    if name in info.type.constants:
        raise AttributeRefused(
            f"{target} is a constant of the compiled code and cannot be assigned: annotate it with "
            "its type instead of declaring it Final or in __constants__"
        )
    if name in module._modules or isinstance(value, nn.Module):
        assign_module(module, info, name, value)
    elif name == internals.IS_FULL_BACKWARD:  # which no compiled code reads
        module.__dict__[name] = value
    elif name in internals.HOOK_TABLES:
        module.__dict__[name] = HookTable(value)
    elif name in info.type.attributes:
        if not is_dynamo_compiling():  # compiled code assigns values of the type alone
            value = owned(info, info.type.attributes[name], value)
        set_slot(module, name, value)
    elif isinstance(value, nn.Parameter):
        raise AttributeRefused(_finished(target, "parameter"))
    elif name in info.type.properties and not hasattr(type(module), name):
        _assign_property(module, info, name, value)
    else:
        nn.Module.__setattr__(module, name, value)


def assign_module(module: ScriptModule, info: ModuleInfo, name: str, value: Any) -> None:
    """Put a compiled module in the place of a submodule. Raises `AttributeRefused`."""
    target = f"{info.cls.__name__}.{name}"
    if name not in module._modules:
        raise AttributeRefused(_finished(target, "submodule"))
    new: ModuleInfo | None = known_info(value)
    if new is None:
        raise AttributeRefused(
            "Cannot re-assign modules in a ScriptModule with non-scripted module: "
            f"{target} cannot become a {type(value).__name__} that is not compiled; compile it "
            "with minits.script first"
        )
    expected = info.type.attributes[name].type
    if t.is_interface(expected):
        _require_interface(target, new, expected)
    elif not is_subtype(new.type, expected):
        raise AttributeRefused(
            f"Expected a value of type '{expected.annotation}' for field '{name}', but found "
            f"'{new.type.name}': the code of {info.cls.__name__} is compiled for the one type; "
            "declare an interface for modules that are exchanged"
        )
    module._modules[name] = value


def _require_interface(target: str, new: ModuleInfo, interface: t.ClassType) -> None:
    try:
        require_interface(new, interface)
    except CompileError as fault:
        why = fault.diagnostics[0]
        raise AttributeRefused(f"{target}: {why.message}; {why.fix}") from None


def _assign_property(module: ScriptModule, info: ModuleInfo, name: str, value: Any) -> None:
    setter = info.type.properties[name][1]
    if setter is None:
        raise AttributeError(f"the property {info.cls.__name__}.{name} has no setter")
    type(module).compile_method(module, setter)(value)


def owned(info: ModuleInfo, attribute: t.Attribute, value: Any) -> Any:
    """Return a value as an attribute of a compiled module: lists and dicts are copied.

    Raises `AttributeRefused` if it is not of the attribute's type.
    """
    try:
        converted = converter(attribute.type)(value)
    except Unfit as why:
        told = f": {why}" if str(why) else ""
        raise AttributeRefused(
            f"Could not cast attribute '{attribute.name}' to type {attribute.type.annotation}: "
            f"compiled code relies on the type of {info.cls.__name__}.{attribute.name}, and was "
            f"given a {type(value).__name__}{told}"
        ) from None
    if result_converter(attribute.type) is not None:
        return value  # NamedTuples stay what they are in Python
    return converted


def first_value(info: ModuleInfo, attribute: t.Attribute, value: Any) -> Any:
    """Return an attribute of a module that is being compiled. Raises `CompileError`."""
    try:
        return owned(info, attribute, value)
    except AttributeRefused as why:
        assignments = (assignment_of(cls, attribute.name) for cls in info.cls.__mro__[:-1])
        where = next(filter(None, assignments), None)
        fix = f"annotate '{attribute.name}' in the class with the type of what it holds"
        raise error(where, "TS601", str(why), fix=fix) from None


def refuse_deletion(info: ModuleInfo, name: str) -> None:
    """Raise `AttributeRefused` for an attribute that compiled code may read."""
    if name in info.type.attributes or name in info.type.constants or name in info.type.methods:
        raise AttributeRefused(
            f"{info.cls.__name__}.{name} is a part of the compiled module and cannot be deleted"
        )


def registered(module: nn.Module, kind: str, table: Container[str], name: str, value: Any) -> Any:
    """Return the value that takes the place of a parameter, a buffer or a submodule of a module.

    Raises `AttributeRefused` for a module that is compiled and has none of the name in `table`, or
    one of another type.
    """
    info: ModuleInfo | None = known_info(module)
    if info is None:
        return value
    if name not in table or name not in info.type.attributes:
        raise AttributeRefused(_finished(f"{type(module).__name__}.{name}", kind))
    return owned(info, info.type.attributes[name], value)


def _finished(target: str, kind: str) -> str:
    return (
        f"{target} cannot be added: a compiled module takes no new {kind}; register it before the "
        "module is compiled"
    )


def keep_python(original: nn.Module, module: ScriptModule, ignored: frozenset[str]) -> None:
    """Keep methods marked `@ignore` and `@unused` as Python methods of the compiled module.

    Attributes in `__jit_ignored_attributes__` are kept too, except properties, which are compiled.
    """
    own = module.__dict__
    for name in ignored & {*vars(original), *dir(type(original))}:
        if not isinstance(inspect.getattr_static(original, name), property):
            own[name] = getattr(original, name)
    methods: dict[str, Any] = dict(inspect.getmembers(type(original), inspect.isfunction))
    for name, method in vars(original).items():  # those of one object replace its class's
        if inspect.ismethod(method):
            methods[name] = method.__func__
    for name, function in methods.items():
        if internals.is_ignored(function):
            own[name] = function.__get__(module)


def python_parts(original: nn.Module, info: ModuleInfo) -> dict[str, Any]:
    """Return the attributes that a module's Python code may use and that its compiled code lacks.

    These are functions, values without a TorchScript type, and methods that are not compiled:
    tools that trace the Python code in the place of the compiled one find them there.
    """
    names = [*info.functions, *info.builtins, *info.failed]
    parts = {name: getattr(original, name) for name in names if hasattr(original, name)}
    for cls in type(original).__mro__[: type(original).__mro__.index(nn.Module)]:
        for name, value in vars(cls).items():
            if inspect.isfunction(value) and name not in info.type.methods:
                parts.setdefault(name, value)
    return parts


def give_methods(module: ScriptModule, info: ModuleInfo) -> None:
    """Give a module its compiled methods, once it has the attributes that these need.

    Those that override methods of nn.Module are installed on the instance: code of nn.Module, such
    as `state_dict`, then calls the compiled ones.
    """
    state = module.__dict__[ATTRIBUTE] = ModuleState(info)
    _keep_by_names(module, info, state)
    for name in info.type.methods:
        if name != "forward" and not name.startswith("__") and hasattr(nn.Module, name):
            module.__dict__[name] = type(module).compile_method(module, name)


_FLAT = "_flat_weights"
"""The list of the weights of an `nn.RNNBase`, which has their names in `_flat_weights_names`."""


def _keep_by_names(module: ScriptModule, info: ModuleInfo, state: ModuleState) -> None:
    """Let a list of a module's weights be made of them whenever it is read.

    In Python the methods of the class keep the list and the weights the same, however these are
    replaced: by assignment, by `load_state_dict(assign=True)`, `to_empty` or `functional_call`.
    """
    own = module.__dict__
    names = own.get(f"{_FLAT}_names")
    if not names or _FLAT not in info.type.attributes:
        return
    tables = {**module._parameters, **module._buffers}
    if not all(name in tables or name in info.type.properties for name in names):
        return
    held = own.get(_FLAT)
    is_same = held is None or list(map(id, held)) == [id(tables.get(name)) for name in names]
    if not (is_same or issubclass(info.cls, nn.RNNBase)):
        return
    own.pop(_FLAT, None)
    state.lists[_FLAT] = list(names)


# ---- Copies ------------------------------------------------------------------------------------


def copied(module: ScriptModule) -> ScriptModule:
    """Return a module that shares the parameters, submodules and attributes."""
    made = _blank(module)
    for name, value in vars(module).items():
        if name in _TABLES:
            value = copy.copy(value)
        elif inspect.ismethod(value) and value.__self__ is module:
            value = value.__func__.__get__(made)  # one that stays Python
        made.__dict__[name] = value
    _give_methods_of(module, made)
    return made


def deeply_copied(module: ScriptModule, memo: dict[int, Any]) -> ScriptModule:
    """Return a module that shares nothing but the compiled code."""
    made = memo[id(module)] = _blank(module)
    for name, value in vars(module).items():
        if name != ATTRIBUTE:
            made.__dict__[name] = copy.deepcopy(value, memo)
    _give_methods_of(module, made)
    return made


def _give_methods_of(module: ScriptModule, copied: ScriptModule) -> None:
    """Give a copy the compiled methods of a module; it has none while compiling is switched off."""
    info = known_info(module)
    if info is not None:
        give_methods(copied, info)
        copied.__dict__[ATTRIBUTE].in_python = module.__dict__[ATTRIBUTE].in_python


def _blank(module: ScriptModule) -> ScriptModule:
    return type(module).__new__(type(module))
