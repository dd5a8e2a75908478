"""Classes of the program: script classes and interfaces.

All methods of a class are compiled, `__init__` first, because it declares the attributes.

Source: torch/jit/_recursive.py (`_compile_and_register_class`), torch/jit/frontend.py
(`get_jit_class_def`), torch/_jit_internal.py (`can_compile_class`).
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from minits.frontend.function import CompiledFunction
from minits.frontend.live import make_function, qualified_name
from minits.frontend.names import unique_name
from minits.frontend.scopes import LiveScope
from minits.frontend.signature import read_signature
from minits.frontend.simple_value import SimpleValue
from minits.frontend.sources import function_definition
from minits.frontend.sugared_value import SugaredValue
from minits.ir.graph import Value
from minits.ops.schema import Argument, Schema
from minits.types import types as t


class ObjectSelf:
    """The `self` of a script class's method."""

    def __init__(self, type: t.ClassType) -> None:
        self.type = type

    def make(self, value: Value) -> SugaredValue:
        return SimpleValue(value)


class InterfaceMethod:
    """A method that an interface promises."""

    is_being_defined = False

    def __init__(self, name: str, schema: Schema) -> None:
        self.name, self.schema = name, schema

    def ensure_defined(self) -> None:
        """There is nothing to compile."""


def can_compile(cls: type) -> bool:
    """Whether a class is written in Python and meant to be compiled."""
    if torch._jit_internal.is_ignored_fn(cls) or issubclass(cls, (nn.Module, Exception)):
        return False
    if cls.__module__ == "builtins":
        return False
    routines = [getattr(cls, name, None) for name in vars(cls)]
    return all(hasattr(f, "__code__") for f in routines if inspect.isroutine(f))


def declare_class(cls: type) -> t.ClassType:
    """Return the type of a class, its methods not compiled yet."""
    type_ = t.ClassType(unique_name(qualified_name(cls)), cls=cls)
    if hasattr(cls, "__torch_script_interface__"):
        _declare_interface(cls, type_)
    return type_


def compile_class(cls: type, type: t.ClassType, dialect: str = "torch") -> None:
    """Compile all methods of a class. Raises `CompileError`."""
    itself = ObjectSelf(type)
    for name, function in _functions(cls):
        type.methods[name] = _method(function, dialect, itself, type, name)
    for name, member in vars(cls).items():
        if isinstance(member, staticmethod):
            type.static_methods[name] = make_function(member.__func__, dialect)
        elif isinstance(member, property):
            _add_property(name, member, dialect, itself, type)
    for method in sorted(type.methods.values(), key=lambda method: method.name != "__init__"):
        method.ensure_defined()
    for method in type.static_methods.values():
        method.ensure_defined()


def _method(
    function: Any, dialect: str, itself: ObjectSelf, type: t.ClassType, name: str
) -> CompiledFunction:
    method = make_function(function, dialect, itself, name)
    method.qualified_name = f"{type.name}.{name}"
    return method


def _functions(cls: type) -> Iterator[tuple[str, Any]]:
    internal = torch._jit_internal
    for name, member in vars(cls).items():
        if inspect.isfunction(member) and not internal._is_drop_fn(member):
            yield name, member


def _add_property(
    name: str, member: property, dialect: str, itself: ObjectSelf, type: t.ClassType
) -> None:
    getter, setter = f"__{name}_getter", None
    type.methods[getter] = _method(member.fget, dialect, itself, type, getter)
    if member.fset is not None:
        setter = f"__{name}_setter"
        type.methods[setter] = _method(member.fset, dialect, itself, type, setter)
    type.properties[name] = (getter, setter)


def _declare_interface(cls: type, type: t.ClassType) -> None:
    type.is_interface = True
    type.is_module = issubclass(cls, nn.Module)
    for name, function in _functions(cls):
        declared = read_signature(
            name, function_definition(function), LiveScope(function), {}, True
        )
        returns = declared.returns or (Argument("", t.NONE),)
        arguments = (Argument("self", type), *declared.arguments)
        type.methods[name] = InterfaceMethod(name, Schema(name, "", arguments, returns))
