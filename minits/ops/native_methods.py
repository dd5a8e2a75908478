"""Methods without TorchScript code: of classes that torch binds from C++, and of autocast.

A class of C++ (`torch.classes.quantized.Conv2dPackedParamsBase`) tells its methods by schemas;
calling one calls the method of torch's object.

Source: torch/csrc/jit/python/script_init.cpp (`_jit_get_custom_class_schemas`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits import torch_internals as internals
from minits.ops.registry import schema_of_torch
from minits.ops.schema import Schema
from minits.types import types as t


class BoundMethod:
    """A method of a class of C++."""

    is_being_defined = is_variadic = False

    def __init__(self, name: str, schema: Schema) -> None:
        self.name, self.schema = name, schema

    def ensure_defined(self) -> None:
        """Do nothing: there is no body to compile."""


def declare_bound_methods(type: t.ClassType) -> None:
    """Give the type of a class of C++ its methods, where it does not have them yet."""
    if type.methods or not type.is_bound:
        return
    for schema in internals.schemas_of_classes():
        if schema.arguments and str(schema.arguments[0].type) == type.name:
            type.methods[schema.name] = BoundMethod(schema.name, schema_of_torch(schema))


def native_method(type: t.ClassType, name: str) -> Callable[..., Any] | None:
    """Return the Python implementation of a method that is not compiled, else None."""
    if type.is_bound:
        return _caller(name)
    from minits.ops.implementations.autocast import autocast_method  # with all operators

    return autocast_method(type, name)


def _caller(name: str) -> Callable[..., Any]:
    """Return a function that calls a method of its first argument with the others."""
    return lambda itself, *arguments: getattr(itself, name)(*arguments)
