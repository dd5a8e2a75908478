"""The defaults of parameters, as values of the parameters' types.

Source: torch/csrc/jit/frontend/script_type_parser.cpp (`evaluateDefaults`) and
torch/csrc/jit/python/script_init.cpp (`getSchemaWithNameAndDefaults`).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from types import NoneType
from typing import Any

import torch

from minits.diagnostics import Note, error
from minits.edits import Edit
from minits.ir.constants import can_be_constant, insert_constant
from minits.ir.graph import Graph, Value
from minits.lazily import lazily
from minits.ops.schema import Argument
from minits.source import SourceRange
from minits.types import types as t
from minits.types.dtypes import enum_code
from minits.types.subtyping import union_members
from minits.types.types import Type

optional_tensor: Callable[[Argument], tuple[str, Edit | None]] = lazily(
    "minits.frontend.calls.none_defaults:optional_tensor"
)


class _Unfit(Enum):
    UNFIT = 0


UNFIT = _Unfit.UNFIT
"""Stands for the value of a default that is not of the parameter's type."""

_NUMBERS: dict[Type, tuple[Any, tuple[type, ...]]] = {
    t.BOOL: (bool, (bool, int, float, complex, NoneType)),
    t.INT: (int, (bool, int)),
    t.FLOAT: (float, (bool, int, float)),
    t.COMPLEX: (complex, (bool, int, float, complex)),
}
"""By type: the function that converts a number to it, and the classes that it accepts."""

_CLASSES: dict[Type, type] = {
    t.STR: str,
    t.NONE: NoneType,
    t.DEVICE: torch.device,
    t.GENERATOR: torch.Generator,
}
"""By type: the class of its values, where these are objects of no other."""


def is_mutable(default: Any) -> bool:
    """Return whether all calls would share a default that they can change."""
    if isinstance(default, tuple):
        return any(map(is_mutable, default))
    return isinstance(default, (list, dict, set))


def default_value(default: Any, type: Type) -> Any:
    """Return a default as a value of a type (the 2 of `p: float = 2` is 2.0), or `UNFIT`."""
    match type:
        case t.OptionalType() | t.UnionType():
            return _of_union(default, type)
        case t.TupleType(elements=elements):
            return _of_tuple(default, elements) if isinstance(default, tuple) else UNFIT
        case t.ListType(element=element):
            if not isinstance(default, tuple):
                return UNFIT
            values = _of_tuple(default, (element,) * len(default))
            return values if values is UNFIT else list(values)
        case t.DictType():
            return UNFIT  # one that is given is mutable
        case t.EnumType(cls=cls) if cls is not None and not isinstance(default, cls):
            return UNFIT
        case t.TENSOR if default is not None and not isinstance(default, torch.Tensor):
            return UNFIT
    needed = _CLASSES.get(type)
    if needed is not None and not isinstance(default, needed):
        return UNFIT
    return _of_number(default, type) if type in _NUMBERS else default


def _of_union(default: Any, type: Type) -> Any:
    members = union_members(type)
    if default is None:
        return None if t.NONE in members else UNFIT
    values = [default_value(default, member) for member in members if member != t.NONE]
    if isinstance(type, t.UnionType):  # which converts no number
        values = [value for value in values if value.__class__ is default.__class__]
    return next((value for value in values if value is not UNFIT), UNFIT)


def _of_tuple(default: tuple[Any, ...], elements: tuple[Type, ...]) -> Any:
    if len(default) != len(elements):
        return UNFIT
    values = tuple(map(default_value, default, elements))
    return UNFIT if any(value is UNFIT for value in values) else values


def _of_number(default: Any, type: Type) -> Any:
    make, classes = _NUMBERS[type]
    code = enum_code(default)
    if code is not None and type == t.INT:
        return code
    is_scalar = isinstance(default, torch.Tensor) and default.dim() == 0
    return make(default) if is_scalar or default.__class__ in classes else UNFIT


def _refusal(argument: Argument, value: Any) -> tuple[str, str, Edit | None] | None:
    """Return why a default cannot be a constant, the cure and its edit; None where it can."""
    if value is None and argument.type == t.TENSOR:
        fix, edit = optional_tensor(argument)
        fix = f"{fix}, or give '{argument.name}' in the call"
        return "is None, and its type is Tensor", fix, edit
    if can_be_constant(value):
        return None
    fix = "give the argument in the call, or make it an Optional[Tensor] whose default is None"
    return "requires a gradient or has no storage, which a constant cannot", fix, None


def insert_default(
    graph: Graph, argument: Argument, value: Any, type: Type | None, loc: SourceRange | None
) -> Value:
    """Insert the default of an argument; all calls share its constant's content, if it has one.

    range: the call's. Raises `CompileError` (TS216) for a tensor that no graph may hold.
    """
    refused = _refusal(argument, value)
    if refused is not None:
        why, fix, edit = refused
        message = f"Unsupported value kind: Tensor. The default of '{argument.name}' {why}"
        place = argument.declared_at
        notes = [Note(f"'{argument.name}' is declared here", place)] if place is not None else []
        raise error(loc, "TS216", message, notes=notes, fix=fix, edit=edit)
    made = insert_constant(graph, value, type)
    if argument.constant is not None:
        made.node.attributes["value"] = argument.constant
    return made
