"""Python values into compiled code and out of it.

A call's arguments are checked against the schema, converted where torch converts (an int for a
float), and lists and dicts are copied, so that compiled code never changes the caller's.

Source: torch/csrc/jit/python/pybind_utils.h (`toIValue`, `createStackForSchema`, `toPyObject`).
"""

from __future__ import annotations

import collections
import enum
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import torch

from minits.frontend.class_types import class_types
from minits.ops.schema import Argument, Schema
from minits.runtime import argument_faults
from minits.types import types as t
from minits.types.annotations import CannotInfer, infer_type
from minits.types.dtypes import enum_code
from minits.types.subtyping import unwrap_optional
from minits.types.types import Type


class Unfit(Exception):
    """A value is not of a type. Its argument, if any, says what of the value is not."""


class Binder:
    """Binds the arguments of calls to the parameters of one schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._converters = [argument_converter(argument) for argument in schema.arguments]
        self._count = len(schema.arguments)
        self._by_position = not any(argument.kwarg_only for argument in schema.arguments)

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Return the values of all parameters in order. Raises `ArgumentError`."""
        if len(args) == self._count and not kwargs and self._by_position:
            try:
                return [
                    convert(value) for convert, value in zip(self._converters, args, strict=True)
                ]
            except Unfit:
                pass  # the slow way says which argument it is
        return bind_arguments(self.schema, args, kwargs)


def bind_arguments(schema: Schema, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    """Return the values of all parameters in order. Raises `ArgumentError`."""
    arguments = schema.arguments
    given_count = len(args) + len(kwargs)
    if given_count > len(arguments):
        raise argument_faults.too_many(schema, given_count)
    positional = [argument for argument in arguments if not argument.kwarg_only]
    if len(args) > len(positional):
        raise argument_faults.too_many_positional(schema, len(positional), len(args))
    given = dict(zip((argument.name for argument in positional), args, strict=False))
    given_by_name = {**kwargs, **given}
    values = [_value_for(schema, argument, given_by_name) for argument in arguments]
    known = {argument.name for argument in arguments}
    for name in kwargs:
        if name not in known:
            raise argument_faults.unknown(schema, name)
        if name in given:
            raise argument_faults.given_twice(schema, name)
    return values


def _value_for(schema: Schema, argument: Argument, given: Mapping[str, Any]) -> Any:
    if argument.name not in given:
        if argument.has_default and argument.size is None:
            return argument.default
        if argument.has_default:  # perhaps one number for a list of known length
            return argument_converter(argument)(argument.default)
        raise argument_faults.missing(schema, argument)
    value = given[argument.name]
    try:
        return argument_converter(argument)(value)
    except Unfit as unfit:
        details = str(unfit)
    raise argument_faults.wrong_type(schema, argument, value, details)


def argument_converter(argument: Argument) -> Converter:
    """Return the function that makes a Python object a value of a parameter."""
    convert = converter(argument.type)
    return convert if argument.size is None else _repeating(convert, argument.size)


def _repeating(convert: Converter, size: int) -> Converter:
    """A list of known length may be given as one number: 2 is [2, 2]."""

    def convert_list(value: Any) -> Any:
        return convert([value] * size if value.__class__ in (int, float) else value)

    return convert_list


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
            return _SIMPLE.get(type, _anything)
        case t.OptionalType(element=element):
            return _optional(converter(element))
        case t.ListType(element=element):
            return _list(converter(element), type)
        case t.DictType(key=key, value=value):
            return _dict(converter(key), converter(value), type)
        case t.TupleType(elements=elements):
            return _tuple([converter(element) for element in elements])
        case t.UnionType(members=members):
            return _union(type, [converter(member) for member in members])
        case t.EnumType(cls=cls):
            return _instance(enum.Enum) if cls is None else _enum_member(cls)
        case t.ClassType(is_module=False, is_interface=False):
            return _object(type)
    return _anything


def _anything(value: Any) -> Any:
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


def _device(value: Any) -> Any:
    if isinstance(value, (torch.device, str)):
        return torch.device(value)
    raise Unfit


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
}


def _optional(convert: Converter) -> Converter:
    return lambda value: None if value is None else convert(value)


def _list(convert: Converter, type: Type | None = None) -> Converter:
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


def _dict(convert_key: Converter, convert_value: Converter, type: Type | None = None) -> Converter:
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


def _inferred(value: Any) -> str:
    """Return the annotation that fits a value, or the name of its class if none does."""
    try:
        return infer_type(value, class_types).annotation
    except CannotInfer:
        return type(value).__name__


def _tuple(converters: list[Converter]) -> Converter:
    def convert_tuple(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, (tuple, list)):
            if _is_whole(value):
                raise Unfit
            value = tuple(value)
        if len(value) != len(converters):
            raise Unfit(f"{len(converters)} elements are expected, {len(value)} were found")
        return tuple(c(item) for c, item in zip(converters, value, strict=True))

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


# ---- Results -----------------------------------------------------------------------------------


@cache
def result_converter(type: Type) -> Converter | None:
    """Return the function that makes results NamedTuples where their types say so, or None."""
    match type:
        case t.TupleType(elements=elements, name=name, fields=fields):
            inner = [result_converter(element) for element in elements]
            if name is None and not any(inner):
                return None
            make: Any = tuple
            if name is not None:
                cls: Any = collections.namedtuple(name.rpartition(".")[2], fields)  # type: ignore[misc]
                make = cls._make
            return lambda value: make(
                item if convert is None else convert(item)
                for convert, item in zip(inner, value, strict=True)
            )
        case t.ListType(element=element):
            convert_item = result_converter(element)
            return None if convert_item is None else _list(convert_item)
        case t.OptionalType(element=element):
            convert = result_converter(element)
            return None if convert is None else _optional(convert)
        case t.DictType(value=element):
            convert_value = result_converter(element)
            return None if convert_value is None else _dict(_anything, convert_value)
    return None
