"""The types of a program's own classes: NamedTuples, enums, script classes.

Source: torch/csrc/jit/python/python_sugared_value.cpp (`registerNamedTuple`),
torch/jit/annotations.py (`try_ann_to_type`).
"""

from __future__ import annotations

import enum
import inspect
from typing import Any

import torch

from minits.diagnostics import CompileError
from minits.types import types as t
from minits.types.annotations import CannotInfer, infer_type, type_from_python
from minits.types.types import Type

_types: dict[type, Type | None] = {}
faults: dict[type, CompileError] = {}
"""Why classes could not be compiled."""


def class_types(cls: type) -> Type | None:
    """Return the type of a class, or None for one that TorchScript has no type for."""
    if cls not in _types:
        _types[cls] = None  # while it is made: a class that mentions itself
        _types[cls] = _make(cls)
    return _types[cls]


def register(cls: type, type: Type) -> None:
    """Say what the type of a class is."""
    _types[cls] = type


def _make(cls: type) -> Type | None:
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return _named_tuple(cls)
    if issubclass(cls, enum.Enum):
        return _enum(cls)
    return _script_class(cls)


def _script_class(cls: type) -> Type | None:
    """Compile a class; one that cannot be compiled has no type, and `faults` tells why."""
    from minits.frontend.script_classes import can_compile, compile_class, declare_class

    if not can_compile(cls):
        return None
    declared = declare_class(cls)
    _types[cls] = declared
    if declared.is_interface:
        return declared
    try:
        compile_class(cls, declared)
    except CompileError as fault:
        faults[cls] = fault
        return None
    return declared


def _named_tuple(cls: Any) -> t.TupleType:
    annotations = next(filter(None, map(inspect.get_annotations, cls.__mro__)), {})
    module = inspect.getmodule(cls)
    elements = []
    for field in cls._fields:
        annotation = annotations.get(field, torch.Tensor)
        if isinstance(annotation, str):
            annotation = eval(annotation, dict(vars(module) if module else {}), dict(vars(cls)))
        elements.append(type_from_python(annotation, class_types) or t.TENSOR)
    defaults = tuple(cls._field_defaults[f] for f in cls._fields if f in cls._field_defaults)
    name = torch._jit_internal._qualified_name(cls)
    return t.TupleType(tuple(elements), name, tuple(cls._fields), defaults)


def _enum(cls: type[enum.Enum]) -> t.EnumType | None:
    members = tuple((member.name, member.value) for member in cls)
    try:
        types = {infer_type(value) for _, value in members}
    except CannotInfer:
        return None
    if len(types) != 1:
        return None
    return t.EnumType(torch._jit_internal._qualified_name(cls), types.pop(), members, cls)
