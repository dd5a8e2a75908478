"""Schemas as programs read them: with torch's own objects for types.

    schema = compiled.schema
    str(schema.arguments[0].type)       List[int], as torch.jit answers; in a schema's text: int[]
    isinstance(schema.arguments[0].type, torch._C.ListType)

A class, enum or interface of minits has no object in torch: `NamedInTorch` answers for it, and for
containers that hold it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minits import torch_internals as internals
from minits.ops.schema import Argument, Schema
from minits.types import types as t
from minits.types.type_parts import contained_types
from minits.types.types import Type


class ReflectedSchema:
    """A signature, like `torch.FunctionSchema`; everything else is that of `Schema`."""

    def __init__(self, schema: Schema) -> None:
        self._minits = schema
        self.name = schema.name
        self.overload_name = schema.overload
        self.arguments = [ReflectedArgument(each) for each in schema.arguments]
        self.returns = [ReflectedArgument(each) for each in schema.returns]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_minits"], name)

    def __str__(self) -> str:
        return str(self._minits)

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return self._minits == getattr(other, "_minits", other)

    def __hash__(self) -> int:
        return hash(str(self))


class ReflectedArgument:
    """A parameter or result, like `torch.Argument`; everything else is that of `Argument`."""

    def __init__(self, argument: Argument) -> None:
        self._minits = argument
        self.name = argument.name
        self.type = reflected_type(argument.type)
        self.N = argument.size
        self.kwarg_only = argument.kwarg_only
        self.default_value = argument.default if argument.has_default else None
        self.is_out = False
        self.alias_info = None

    def has_default_value(self) -> bool:
        """Return whether a call may leave the argument out."""
        return self._minits.has_default

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_minits"], name)

    def __str__(self) -> str:
        return str(self._minits)

    def __eq__(self, other: object) -> bool:
        return self._minits == getattr(other, "_minits", other)

    def __hash__(self) -> int:
        return hash(str(self))


class NamedInTorch:
    """A type that torch has no object for, with the methods of such an object."""

    def __init__(self, type: Type, cls: type) -> None:
        self._minits, self._cls = type, cls

    if not TYPE_CHECKING:

        @property
        def __class__(self) -> Any:
            """The class that isinstance finds."""
            return self._cls

    @property
    def annotation_str(self) -> str:
        return self._minits.annotation

    def kind(self) -> str:
        """Return the name of torch's class of such types."""
        return self._cls.__name__

    def str(self) -> Any:
        """Return the type as a schema's text has it."""
        return str(self._minits)

    def name(self) -> Any:
        """Return the last part of a class's name."""
        return self._minits.annotation.rpartition(".")[2]

    def qualified_name(self) -> Any:
        """Return a class's name."""
        return self._minits.annotation

    def containedTypes(self) -> list[Any]:
        """Return the types that it is made of."""
        return [reflected_type(each) for each in contained_types(self._minits)]

    elements = containedTypes

    def getElementType(self) -> Any:
        """Return the type of a list's items, or of an Optional's or future's value."""
        return self.containedTypes()[0]

    def getKeyType(self) -> Any:
        """Return the type of a dict's keys."""
        return self.containedTypes()[0]

    def getValueType(self) -> Any:
        """Return the type of a dict's values."""
        return self.containedTypes()[1]

    def __str__(self) -> Any:
        return self._minits.annotation

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return self._minits == getattr(other, "_minits", None)

    def __hash__(self) -> int:
        return hash(self._minits)


def reflected_type(type: Type) -> Any:
    """Return torch's object for a type, or one that answers like it."""
    parts = [reflected_type(each) for each in contained_types(type)]
    own = any(getattr(each, "_minits", None) is not None for each in parts)
    cls = _CLASSES.get(type.__class__)
    if isinstance(type, t.ClassType) and type.is_interface:
        return NamedInTorch(type, internals.JIT_INTERFACE_TYPE)
    if isinstance(type, t.TupleType) and type.name is not None:
        return NamedInTorch(type, internals.JIT_TUPLE_TYPE)
    if cls is None:
        simple = internals.JIT_SIMPLE_TYPES.get(type.annotation)
        return simple if simple is not None else type
    if own or (not parts and not isinstance(type, t.TupleType)):
        return NamedInTorch(type, cls)
    if isinstance(type, (t.TupleType, t.UnionType)):
        return cls(parts)
    return cls(*parts)


_CLASSES: dict[type, Any] = {
    t.ListType: internals.JIT_LIST_TYPE,
    t.DictType: internals.JIT_DICT_TYPE,
    t.OptionalType: internals.JIT_OPTIONAL_TYPE,
    t.TupleType: internals.JIT_TUPLE_TYPE,
    t.UnionType: internals.JIT_UNION_TYPE,
    t.FutureType: internals.JIT_FUTURE_TYPE,
    t.ClassType: internals.JIT_CLASS_TYPE,
    t.EnumType: internals.JIT_ENUM_TYPE,
}
