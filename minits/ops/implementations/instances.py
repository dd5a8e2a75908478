"""Objects of script classes, and which values are of a type while a program runs."""

from __future__ import annotations

from enum import Enum
from typing import Any

import torch

from minits import torch_internals as internals
from minits.compilation_state import known_class
from minits.ops.errors import ScriptError
from minits.ops.named_tuples import has_fields
from minits.types import types as t
from minits.types.subtyping import is_subtype
from minits.types.types import Type
from minits.users_objects import is_frozen, known_info


class ScriptObject:
    """An object of a script class that has no Python class, such as one compiled from text."""

    __slots__ = ("slots", "type")

    def __init__(self, type: t.ClassType) -> None:
        self.type = type
        self.slots: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"<{self.type.name} object at {id(self):#x}>"


def slot_of(owner: Any, name: str) -> Any:
    """Return an attribute of an object, as `prim::GetAttr` reads it.

    A module's own attribute, parameter or submodule comes before what each compiled module has for
    Python: `code`, `save`. Raises `AttributeError` or `KeyError` for an object without it.
    """
    if isinstance(owner, ScriptObject):
        return owner.slots[name]
    if known_info(owner) is not None:
        for table in (vars(owner), *_tables(owner)):
            if name in table:
                return table[name]
    return getattr(owner, name)


def set_slot(owner: Any, name: str, value: Any) -> None:
    """Set an attribute of an object to a value of its type, as `prim::SetAttr` does."""
    if isinstance(owner, ScriptObject):
        owner.slots[name] = value
    elif known_info(owner) is not None:
        found = [table for table in _tables(owner) if name in table]
        (found[0] if found else vars(owner))[name] = value
    elif is_frozen(type(owner)):
        object.__setattr__(owner, name, value)
    else:
        setattr(owner, name, value)


def _tables(module: Any) -> list[dict[str, Any]]:
    return [vars(module).get(each, {}) for each in ("_parameters", "_buffers", "_modules")]


def new_object(type: t.ClassType) -> Any:
    """Make an object whose `__init__` has yet to run: of the Python class, if there is one.

    Its `__new__` is Python's, and not called. Raises `ScriptError` for a class of C++: its objects
    are made by `__init__`, if that is called first (`minits.ir.made_objects`).
    """
    if type.is_bound:
        raise ScriptError(f"an object of {type.name} is used before its __init__ is called")
    return ScriptObject(type) if type.cls is None else object.__new__(type.cls)


_SIMPLE: dict[Type, Any] = {
    t.TENSOR: torch.Tensor,
    t.INT: int,
    t.FLOAT: float,
    t.COMPLEX: complex,
    t.BOOL: bool,
    t.STR: str,
    t.NONE: type(None),
    t.DEVICE: torch.device,
    t.ANY: object,
    t.NUMBER: (int, float, complex),
    t.ANY_LIST: list,
    t.ANY_TUPLE: tuple,
    t.ANY_ENUM: Enum,
    t.GENERATOR: torch.Generator,
    t.STREAM: torch.Stream,
}


def is_instance(value: Any, type: Type) -> bool:
    """Return whether a value is of a type.

    Differs: torch's containers know their element types; here an empty list is of every list type.
    """
    simple = _SIMPLE.get(type)
    if simple is not None:
        return isinstance(value, simple) and (type != t.INT or not isinstance(value, bool))
    match type:
        case t.ListType():
            return isinstance(value, list) and all(is_instance(x, type.element) for x in value)
        case t.DictType():
            return isinstance(value, dict) and all(
                is_instance(key, type.key) and is_instance(item, type.value)
                for key, item in value.items()
            )
        case t.TupleType():
            return (
                isinstance(value, tuple)
                and len(value) == len(type.elements)
                and (type.name is None or has_fields(value, type))
                and all(map(is_instance, value, type.elements))
            )
        case t.OptionalType():
            return value is None or is_instance(value, type.element)
        case t.UnionType():
            return any(is_instance(value, member) for member in type.members)
        case t.EnumType():
            return isinstance(value, Enum) and (type.cls is None or isinstance(value, type.cls))
        case t.ClassType():
            return _is_object(value, type)
    return False


def _is_object(value: Any, type: t.ClassType) -> bool:
    if type.is_interface:
        known = known_class(value)
        return known is not None and is_subtype(known, type)
    if isinstance(value, ScriptObject):
        return value.type is type
    if isinstance(value, torch.ScriptObject):
        return type is t.bound_class(internals.name_of_cpp_class(value))
    own = getattr(value, "type", None)
    if isinstance(own, t.ClassType):
        return own is type
    return type.cls is not None and isinstance(value, type.cls)
