"""Python objects as values of TorchScript's types.

What a program is given from Python, and what the Python functions that it calls return, is checked
against a type, converted where torch converts (an int for a float), and lists and dicts are copied,
so that compiled code never changes the caller's.

Source: torch/csrc/jit/python/pybind_utils.h (`toIValue`).
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import torch

from minits.ops.named_tuples import named_tuple_class
from minits.types import types as t
from minits.types.annotations import CannotInfer, infer_type
from minits.types.dtypes import enum_code
from minits.types.python_classes import TYPES, known_class
from minits.types.subtyping import unwrap_optional, what_is_missing
from minits.types.types import Type


class Unfit(Exception):
    """A value is not of a type. Its argument, if any, says what of the value is not."""


def convert_value(type: Type, value: Any) -> Any:
    """Return a Python object as a value of `type`. Raises `TypeError`."""
    try:
        return converter(type)(value)
    except Unfit as why:
        told = str(why) or f"expected {type.annotation}, found {value.__class__.__name__}"
        raise TypeError(told) from None


Converter = Callable[[Any], Any]


@cache
def converter(type: Type) -> Converter:
    """Return the function that makes a Python object a value of `type`, or raises `Unfit`."""
    match type:
        case t.SimpleType():
            return _SIMPLE.get(type, unchanged)
        case t.OptionalType(element=element):
            return optional_converter(converter(element))
        case t.ListType(element=element):
            convert = _listed_int if element == t.INT else converter(element)
            return list_converter(convert, type)
        case t.DictType(key=key, value=value):
            return dict_converter(converter(key), converter(value), type)
        case t.TupleType(elements=elements):
            make = tuple if type.name is None else named_tuple_class(type)
            return _tuple([converter(element) for element in elements], make)
        case t.UnionType(members=members):
            return _union(type, [converter(member) for member in members])
        case t.RRefType():
            return _rref
        case t.EnumType(cls=cls):
            return _instance(enum.Enum) if cls is None else _enum_member(cls)
        case t.ClassType(is_module=False, is_interface=False):
            return _object(type)
        case t.ClassType(is_interface=True):
            return _implementer(type)
    return unchanged


def unchanged(value: Any) -> Any:
    return value


def _tensor(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value
    raise Unfit


def _int(value: Any) -> int:
    if value.__class__ is int:
        return value
    if isinstance(value, (bool, int)):
        return int(value)
    code = enum_code(value)
    if code is not None:
        return code
    if isinstance(value, torch.Tensor) and value.numel() == 1 and not value.is_complex():
        return int(value)
    if not isinstance(value, torch.Tensor) and hasattr(value, "__index__"):
        return operator.index(value)
    raise Unfit


def _listed_int(value: Any) -> int:
    """An element of a list of ints, for which torch takes numbers alone: a dtype is an int as an
    argument of its own, in a tuple, a dict or a list of Optionals.
    """
    if value.__class__ is not int and enum_code(value) is not None:
        raise Unfit(f"torch.jit makes no number of {value} within a list; a tuple may hold it")
    return _int(value)


def _float(value: Any) -> float:
    if value.__class__ is float:
        return value
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, torch.Tensor) and value.numel() == 1 and not value.is_complex():
        return float(value)
    if not isinstance(value, torch.Tensor) and hasattr(value, "__float__"):
        return float(value)
    raise Unfit


def _bool(value: Any) -> bool:
    """Whatever says itself whether it is true; a list does not, it is only long."""
    if isinstance(value, bool):
        return value
    if value is None or hasattr(value, "__bool__"):
        return bool(value)
    raise Unfit


def _complex(value: Any) -> complex:
    if isinstance(value, (complex, float, int)):
        return complex(value)
    if isinstance(value, torch.Tensor) and value.numel() == 1:
        return complex(value.item())
    raise Unfit


def _str(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")  # see ops/implementations/strings.py
    raise Unfit


def _number(value: Any) -> Any:
    if isinstance(value, (bool, int, float, complex)):
        return value
    raise Unfit


def _none(value: Any) -> None:
    if value is not None:
        raise Unfit


def _instance(cls: type) -> Converter:
    def convert(value: Any) -> Any:
        if isinstance(value, cls):
            return value
        raise Unfit

    return convert


def _enum_member(cls: Any) -> Converter:
    """A member of the enum, or its like of another class of that name, as archives have them."""

    def convert(value: Any) -> Any:
        if isinstance(value, cls):
            return value
        if isinstance(value, enum.Enum) and type(value).__name__ == cls.__name__:
            member = cls.__members__.get(value.name)
            if member is not None and member.value == value.value:
                return member
        raise Unfit

    return convert


def _rref(value: Any) -> Any:
    """A reference of `torch.distributed.rpc`; what it refers to is with its owner, and not seen."""
    distributed = getattr(torch._C, "_distributed_rpc", None)
    if distributed is None or not isinstance(value, distributed.PyRRef):
        raise Unfit
    return value


def _device(value: Any) -> Any:
    if isinstance(value, (torch.device, str)):
        return torch.device(value)
    raise Unfit


def _any(value: Any) -> Any:
    """A value of the type that it tells: a list needs elements, all of one; a dtype is an int."""
    if value.__class__ in SIMPLE_CLASSES or known_class(value) is not None:
        return value
    try:
        type_ = infer_type(value, _type_of_objects)
    except CannotInfer as why:
        raise Unfit(str(why)) from None
    return converter(type_)(value)


SIMPLE_CLASSES = frozenset({int, float, bool, str, type(None), torch.Tensor})


def _type_of_objects(cls: type) -> Type | None:
    if cls in TYPES:
        return TYPES[cls]
    is_written_in_python = bool(cls.__flags__ & _HEAP_TYPE) and not issubclass(cls, type)
    return t.ANY_CLASS if is_written_in_python else None


_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE


_SIMPLE: dict[Type, Converter] = {
    t.TENSOR: _tensor,
    t.INT: _int,
    t.FLOAT: _float,
    t.BOOL: _bool,
    t.COMPLEX: _complex,
    t.NUMBER: _number,
    t.STR: _str,
    t.NONE: _none,
    t.DEVICE: _device,
    t.GENERATOR: _instance(torch.Generator),
    t.ANY: _any,
}


def optional_converter(convert: Converter) -> Converter:
    return lambda value: None if value is None else convert(value)


def list_converter(convert: Converter, type: Type | None = None) -> Converter:
    def convert_list(value: Any) -> Any:
        if not isinstance(value, (list, tuple)) and _is_whole(value):
            return _shared(value, type)
        return [convert(item) for item in value]

    return convert_list


def _is_whole(value: Any) -> bool:
    """Whether a value is not taken for a list of its parts, as a range or a generator is.

    torch also takes a string for a list of strings, and a dict for its keys.
    """
    shared = hasattr(value, "shared_type")
    return shared or isinstance(value, _WHOLES) or not isinstance(value, Iterable)


_WHOLES = (str, bytes, Mapping, torch.Tensor)


def dict_converter(
    convert_key: Converter, convert_value: Converter, type: Type | None = None
) -> Converter:
    def convert_dict(value: Any) -> Any:
        if not isinstance(value, dict):
            return _shared(value, type)
        return {convert_key(key): convert_value(item) for key, item in value.items()}

    return convert_dict


def _shared(value: Any, type: Type | None) -> Any:
    """The list or dict inside a `ScriptList` or `ScriptDict`: handed over without a copy."""
    if type is None or getattr(value, "shared_type", None) != type:
        raise Unfit
    return value.data


def _object(type_: t.ClassType) -> Converter:
    """An object of a script class: of any Python class that has its attributes."""

    def convert_object(value: Any) -> Any:
        for name, attribute in type_.attributes.items():
            told = f"Tried to cast object to type {type_.name} but object"
            try:
                held = getattr(value, name)
            except AttributeError:
                raise Unfit(f"{told} was missing attribute {name}") from None
            if isinstance(unwrap_optional(attribute.type), t.ClassType):
                continue  # objects may name each other in a circle
            try:
                converter(attribute.type)(held)
            except Unfit:
                raise Unfit(
                    f"Could not cast attribute '{name}' to type {attribute.type.annotation}: "
                    f"it is {type(held).__name__}"
                ) from None
        return value

    return convert_object


def _implementer(interface: t.ClassType) -> Converter:
    """A compiled module or an object of a script class with all methods of an interface."""

    def convert_implementer(value: Any) -> Any:
        known = known_class(value)
        if known is None:
            raise Unfit(
                f"Assigning the object {value!r} to an interface fails because the value is not a "
                f"TorchScript compatible type: a {type(value).__name__} has no methods that are "
                "compiled"
            )
        missing = what_is_missing(known, interface)
        if missing is None:
            return value
        names = f"Object of type {known.name} is not compatible with interface {interface.name}"
        raise Unfit(f"{names}: {missing}")

    return convert_implementer


def _inferred(value: Any) -> str:
    """Return the annotation that fits a value, or the name of its class if none does."""
    try:
        return infer_type(value).annotation
    except CannotInfer:
        return type(value).__name__


def _tuple(converters: list[Converter], make: Callable[[Any], Any]) -> Converter:
    def convert_tuple(value: Any) -> Any:
        if not isinstance(value, (tuple, list)):
            try:
                value = tuple(value)  # as torch: a tensor too is taken for its rows
            except TypeError:
                raise Unfit from None
        if len(value) != len(converters):
            raise Unfit(f"{len(converters)} elements are expected, {len(value)} were found")
        return make(c(item) for c, item in zip(converters, value, strict=True))

    return convert_tuple


def _union(type_: Type, converters: list[Converter]) -> Converter:
    def convert_union(value: Any) -> Any:
        for convert in converters:
            try:
                converted = convert(value)
            except Unfit:
                continue
            if type(converted) is type(value):
                return converted
        found = _inferred(value)
        raise Unfit(f"Expected a member of {type_.annotation} but instead found type {found}")

    return convert_union
