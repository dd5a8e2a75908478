"""Python objects as values of TorchScript's types.

What a program is given from Python, and what the Python functions that it calls return, is checked
against a type, converted where torch converts (an int for a float), and lists and dicts are copied,
so that compiled code never changes the caller's.

Source: torch/csrc/jit/python/pybind_utils.h (`toIValue`).
"""

from __future__ import annotations

import enum
import marshal
import struct
import types
from collections.abc import Callable, Collection
from typing import Any

import torch

from minits import torch_internals as internals
from minits.compilation_state import STATE, known_class
from minits.ops.named_tuples import named_tuple_class
from minits.ops.numbers_from_python import (
    Unfit,
    to_bool,
    to_complex,
    to_float,
    to_int,
    to_listed_int,
    to_number,
)
from minits.types import types as t
from minits.types.inference import CannotInfer, infer_type
from minits.types.remembered import remembered
from minits.types.subtyping import is_subtype, unwrap_optional, what_is_missing
from minits.types.types import Type


def convert_value(type: Type, value: Any) -> Any:
    """Return a Python object as a value of `type`. Raises `TypeError`."""
    try:
        return converter(type)(value)
    except Unfit as why:
        told = str(why) or f"expected {type.annotation}, found {value.__class__.__name__}"
        raise TypeError(told) from None


Converter = Callable[[Any], Any]


@remembered
def converter(type: Type) -> Converter:
    """Return the function that makes a Python object a value of `type`, or raises `Unfit`."""
    match type:
        case t.SimpleType():
            return _SIMPLE.get(type, unchanged)
        case t.OptionalType(element=element):
            return optional_converter(converter(element))
        case t.ListType(element=element):
            return list_converter(listed_converter(element), type)
        case t.DictType(key=key, value=value):
            return dict_converter(converter(key), converter(value), type)
        case t.TupleType(elements=elements):
            make = tuple if type.name is None else named_tuple_class(type)
            plain = tuple(map(_plain_unless_int, elements))
            return _tuple([converter(element) for element in elements], make, plain)
        case t.UnionType(members=members):
            return to_number if set(members) == _NUMBERS else _union(type)
        case t.RRefType():
            return _rref
        case t.EnumType(cls=cls):
            return _instance(enum.Enum) if cls is None else _enum_member(cls)
        case t.ClassType(is_module=False, is_interface=False):
            return _object(type)
        case t.ClassType(is_interface=True):
            return _implementer(type)
    return unchanged


def listed_converter(element: Type) -> Converter:
    """Return the converter of the items of a list."""
    return _LISTED.get(element) or converter(element)


def unchanged(value: Any) -> Any:
    return value


def _tensor(value: Any) -> Any:
    """A tensor, or None: torch makes an undefined tensor of it, which no operator takes."""
    if value is None or isinstance(value, torch.Tensor):
        return value
    raise Unfit


def _listed_tensor(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value
    raise Unfit


def _str(value: Any) -> str:
    if isinstance(value, str):
        return str.__str__(value)  # the text alone, of a class of its own, too
    if isinstance(value, (bytes, bytearray)):
        return value.decode("utf-8", "surrogateescape")  # see ops/implementations/strings.py
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
    if not internals.is_remote_reference(value):
        raise Unfit
    return value


def _device(value: Any) -> Any:
    if not isinstance(value, (torch.device, str)):
        raise Unfit
    try:
        return torch.device(value)
    except RuntimeError as why:
        raise Unfit(str(why)) from None


def _any(value: Any) -> Any:
    """Convert a value by the type inferred from it: a list needs elements, all of one type."""
    if value.__class__ in _UNCHANGED or known_class(value) is not None:
        return value
    if value.__class__ is int:
        return to_int(value)
    return converter(_type_of(value))(value)


def _type_of(value: Any) -> Type:
    try:
        return infer_type(value, _type_of_objects)
    except CannotInfer as why:
        raise Unfit(str(why)) from None


_UNCHANGED = frozenset({float, bool, str, type(None), torch.Tensor})


def _type_of_objects(cls: type) -> Type | None:
    if cls in STATE.types:
        return STATE.types[cls]
    is_written_in_python = bool(cls.__flags__ & _HEAP_TYPE) and not issubclass(cls, type)
    return t.ANY_CLASS if is_written_in_python else None


_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE


_SIMPLE: dict[Type, Converter] = {
    t.TENSOR: _tensor,
    t.INT: to_int,
    t.FLOAT: to_float,
    t.BOOL: to_bool,
    t.COMPLEX: to_complex,
    t.NUMBER: to_number,
    t.STR: _str,
    t.NONE: _none,
    t.DEVICE: _device,
    t.GENERATOR: _instance(torch.Generator),
    t.ANY: _any,
}


_LISTED: dict[Type, Converter] = {t.TENSOR: _listed_tensor, t.INT: to_listed_int}
"""Converters for the items of a list, where torch is stricter than for an argument."""


_PLAIN: dict[Type, type] = {
    t.TENSOR: torch.Tensor, t.INT: int, t.FLOAT: float, t.BOOL: bool, t.COMPLEX: complex,
    t.STR: str,
}  # fmt: skip
"""Classes whose objects are values of a type as they are, if they fit."""


def are_plain(plain: type | None, values: Collection[Any]) -> bool:
    """Return whether `values` is not empty and all are of this very class; ints of 64 bits at most.

    The test runs in C, not value by value.
    """
    if plain is int and isinstance(values, list) and _are_small_ints(values):
        return True
    if plain is None or not values or list(map(type, values)).count(plain) < len(values):
        return False
    if plain is int:
        try:
            struct.pack(f"{len(values)}q", *values)
        except struct.error:
            return False
    return True


def _are_small_ints(values: list[Any]) -> bool:
    """Return whether a list is not empty and all items are of class int and have 32 bits.

    `marshal` writes such an int as the letter i and four bytes, and any other object differently.
    This takes half the time of comparing classes and then ranges.
    """
    try:
        written = marshal.dumps(values, 2)
    except ValueError:  # what it does not know
        return False
    return bool(values) and written[5::5] == b"i" * len(values)


def optional_converter(convert: Converter) -> Converter:
    return lambda value: None if value is None else convert(value)


def list_converter(convert: Converter, type: Type | None = None) -> Converter:
    has_parts = _is_sequence if type in _LISTS_OF_NUMBERS else _is_iterable
    plain = _PLAIN.get(type.element) if isinstance(type, t.ListType) else None

    def convert_list(value: Any) -> Any:
        if value.__class__ is list and are_plain(plain, value):
            return value.copy()
        if not isinstance(value, (list, tuple)) and not has_parts(value):
            return _shared(value, type)
        return [convert(item) for item in value]

    return convert_list


_LISTS_OF_NUMBERS = frozenset(
    map(t.ListType, (t.TENSOR, t.INT, t.FLOAT, t.BOOL, t.COMPLEX, t.NUMBER))
)
"""The lists that torch makes of what pybind11 takes for a `std::vector`, not of all iterables."""


def _is_sequence(value: Any) -> bool:
    """Return whether a value is a sequence to pybind11 (`object_is_convertible_to_std_vector`)."""
    if isinstance(value, _PARTS_IN_ORDER):
        return True
    is_text_or_dict = isinstance(value, (str, bytes, dict, torch.Tensor))
    return hasattr(value.__class__, "__getitem__") and not is_text_or_dict and _is_iterable(value)


_PARTS_IN_ORDER: tuple[type, ...] = (
    types.GeneratorType, map, zip, set, frozenset,
    type({}.keys()), type({}.values()), type({}.items()),
)  # fmt: skip


def _is_iterable(value: Any) -> bool:
    """Return whether a value has parts: a string its letters, a dict its keys."""
    if hasattr(value, "shared_type"):
        return False
    try:
        iter(value)
    except TypeError:
        return False
    return True


def dict_converter(
    convert_key: Converter, convert_value: Converter, type: Type | None = None
) -> Converter:
    key_class = value_class = None
    if isinstance(type, t.DictType):
        key_class, value_class = _PLAIN.get(type.key), _PLAIN.get(type.value)

    def convert_dict(value: Any) -> Any:
        is_plain = value.__class__ is dict and are_plain(key_class, value)
        if is_plain and are_plain(value_class, value.values()):
            return value.copy()
        if hasattr(value, "shared_type"):
            return _shared(value, type)
        pairs = value if isinstance(value, dict) else _pairs(value)
        return {convert_key(key): convert_value(item) for key, item in pairs.items()}

    return convert_dict


def _pairs(value: Any) -> dict[Any, Any]:
    """Return a dict of any argument that `dict` accepts, such as pairs. Raises `Unfit`."""
    try:
        return dict(value)
    except (TypeError, ValueError) as why:
        raise Unfit(str(why)) from None


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


def _plain_unless_int(type: Type) -> type[Any] | None:
    """Return the class whose objects are values of a type, whatever they are."""
    return None if type == t.INT else _PLAIN.get(type)


def _tuple(
    converters: list[Converter],
    make: Callable[[Any], Any],
    plain: tuple[type[Any] | None, ...],
) -> Converter:
    """Return a converter of tuples; `plain` are the classes of items that need no conversion."""

    def convert_tuple(value: Any) -> Any:
        if not isinstance(value, (tuple, list)):
            try:
                value = tuple(value)  # as torch: a tensor too is taken for its rows
            except TypeError:
                raise Unfit from None
        if isinstance(value, tuple):
            value = tuple.__getitem__(
                value, slice(None)
            )  # what it holds, of a class of its own too
            if tuple(map(type, value)) == plain:
                return value if make is tuple else make(value)
        if len(value) != len(converters):
            raise Unfit(f"{len(converters)} elements are expected, {len(value)} were found")
        return make(c(item) for c, item in zip(converters, value, strict=True))

    return convert_tuple


def _union(union: Type) -> Converter:
    """Return a converter of values whose inferred type is a member: `[1]` is no `List[float]`."""

    def convert_union(value: Any) -> Any:
        type_ = _type_of(value)
        if is_subtype(type_, union):
            return converter(type_)(value)
        told = f"Expected a member of {union.annotation} but instead found type {type_.annotation}"
        raise Unfit(told)

    return convert_union


_NUMBERS = {t.INT, t.FLOAT, t.COMPLEX}
