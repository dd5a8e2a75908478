"""Methods without TorchScript code: of classes that torch binds from C++, and of autocast.

A class of C++ (`torch.classes.quantized.Conv2dPackedParamsBase`) tells its methods by schemas;
calling one calls the method of torch's object. As in torch, making an object is two nodes:

    %stack : __torch__.torch.classes.ns.Stack = prim::CreateObject()
    %2 : NoneType = prim::CallMethod[name="__init__"](%stack, %words)

Python has no object of C++ that is yet to be made, so the second node makes it
(`minits.ir.made_objects`).

Source: torch/csrc/jit/python/script_init.cpp (`_jit_get_custom_class_schemas`),
torch/custom_class.h (`class_::def_property`, `class_::def_static`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from minits import torch_internals as internals
from minits.ops.registry import schema_of_torch
from minits.ops.schema import Schema
from minits.types import types as t
from minits.types.types import Type


class BoundMethod:
    """A method of a class of C++."""

    is_being_defined = is_variadic = False

    def __init__(self, name: str, schema: Schema) -> None:
        self.name, self.schema = name, schema

    def ensure_defined(self) -> None:
        """Do nothing: there is no body to compile."""


class BoundFunction(BoundMethod):
    """A static method of a class of C++; `implementation` is torch's Python object of it."""

    def __init__(self, name: str, qualified_name: str, implementation: Callable[..., Any]) -> None:
        declared = internals.schema_of_static_method(implementation)
        super().__init__(name, schema_of_torch(declared))
        self.qualified_name, self.implementation = qualified_name, implementation


def declare_bound_methods(type: t.ClassType) -> None:
    """Give the type of a class of C++ its methods and properties, where it does not have them yet.

    Differs: torch keeps a list of the properties of a class, which Python can ask of its objects
    alone; here a method `x_getter` makes a property `x`, as `def_property` names it.
    """
    if type.methods or not type.is_bound:
        return
    for schema in internals.schemas_of_classes():
        if schema.arguments and str(schema.arguments[0].type) == type.name:
            type.methods[schema.name] = BoundMethod(schema.name, schema_of_torch(schema))
    for getter in [name for name in type.methods if name.endswith("_getter")]:
        name = getter.removesuffix("_getter")
        setter = f"{name}_setter"
        type.properties[name] = getter, setter if setter in type.methods else None


def methods_of(type: t.ClassType) -> dict[str, Any]:
    """Return the methods of a class by their names, also of one of C++ that was just named."""
    declare_bound_methods(type)
    return type.methods


@cache  # of classes that are kept anyway (`bound_class`)
def static_method(type: t.ClassType, name: str) -> BoundFunction | None:
    """Return a static method of a class of C++, or None if it has none of this name.

    There is one object for each, so that two calls share the constant that names it.
    """
    if name.startswith("__"):
        return None
    found: Any = getattr(internals.cpp_class(type.name), name, None)
    is_static = isinstance(found, internals.CPP_FUNCTION)
    return BoundFunction(name, f"{type.name}.{name}", found) if is_static else None


def maker(type: Type) -> Callable[..., Any]:
    """Return the function that makes an object of a class of C++ of what `__init__` takes."""
    made: Callable[..., Any] = internals.cpp_class(type.annotation)
    return made


def native_method(type: t.ClassType, name: str) -> Callable[..., Any] | None:
    """Return the Python implementation of a method that is not compiled, else None."""
    if type.is_bound:
        return _caller(name)
    from minits.ops.implementations.autocast import autocast_method  # with all operators

    return autocast_method(type, name)


def _caller(name: str) -> Callable[..., Any]:
    """Return a function that calls a method of its first argument with the others."""
    if name == "__init__":  # of an object that is there: it is made anew, in its place
        return lambda itself, *arguments: internals.make_anew(itself, *arguments)
    return lambda itself, *arguments: getattr(itself, name)(*arguments)
