"""Values of Python as those of `model.h`, and back, by ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from typing import Any

import torch

from minits.native.handles import handle_of
from minits.ops.implementations.text import encoded
from minits.ops.named_tuples import class_of_fields
from minits.torch_internals import tensor_of_handle

NONE, BOOL, INT, FLOAT, STR, LIST, TUPLE, DICT, TENSOR, LEFT_OUT, COMPLEX, DEVICE, ENUM = range(13)
"""The values of `mts_kind`."""
DEFAULT = object()
"""Stands for an argument that is left out."""


class _Content(ctypes.Union):
    """The member `as` of `mts_any`."""

    _fields_ = [
        ("boolean", ctypes.c_bool),
        ("integer", ctypes.c_int64),
        ("real", ctypes.c_double),
        ("address", ctypes.c_void_p),
    ]


class ClassValue(ctypes.Structure):
    """An `mts_class`; `names` and `values` are addresses."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("declaration", ctypes.c_char_p),
        ("length", ctypes.c_int64),
        ("names", ctypes.c_void_p),
        ("values", ctypes.c_void_p),
    ]


class _More(ctypes.Union):
    """The last member of `mts_any`, which has no name there."""

    _fields_ = [("type", ctypes.POINTER(ClassValue)), ("imaginary", ctypes.c_double)]


class AnyValue(ctypes.Structure):
    """An `mts_any`."""

    _anonymous_ = ("more",)
    _fields_ = [
        ("kind", ctypes.c_int),
        ("length", ctypes.c_int64),
        ("content", _Content),
        ("more", _More),
    ]


class ErrorValue(ctypes.Structure):
    """An `mts_error`."""

    _fields_ = [
        ("type", ctypes.c_char_p),
        ("message", ctypes.c_char_p),
        ("file", ctypes.c_char_p),
        ("line", ctypes.c_int),
        ("source", ctypes.c_char_p),
    ]


def fill(target: AnyValue, value: Any, kept: list[Any]) -> None:
    """Make a value of C of one of Python; `kept` holds the memory that it points to.

    Raises `TypeError` for a value that has no kind, and `OverflowError` for an int beyond 64 bits.
    """
    match value:
        case Enum():  # which may be an int as well
            _fill_text(target, ENUM, value.name, kept)
            target.type = ctypes.pointer(_class_of(value, kept))
        case None:
            target.kind = NONE
        case bool():
            target.kind, target.content.boolean = BOOL, value
        case int():
            if not -(1 << 63) <= value < 1 << 63:
                raise OverflowError(f"{value} has more than 64 bits")
            target.kind, target.content.integer = INT, value
        case float():
            target.kind, target.content.real = FLOAT, value
        case str():
            _fill_text(target, STR, value, kept)
        case complex():
            target.kind, target.content.real, target.imaginary = COMPLEX, value.real, value.imag
        case torch.device():
            _fill_text(target, DEVICE, str(value), kept)
        case list() | tuple():
            kind = LIST if isinstance(value, list) else TUPLE
            _fill_items(target, kind, len(value), value, kept)
        case dict():
            parts = [part for item in value.items() for part in item]
            _fill_items(target, DICT, len(value), parts, kept)
        case torch.Tensor():
            word = handle_of(value)
            kept.append(word)
            target.kind, target.content.address = TENSOR, ctypes.addressof(word)
        case _ if value is DEFAULT:
            target.kind = LEFT_OUT
        case _:
            raise TypeError(f"a library is given no {type(value).__name__}")


def _class_of(member: Enum, kept: list[Any]) -> ClassValue:
    """Return the class of a member of an enum, with no other members.

    It has the value of one that is a number or a str as well, as those of an `IntEnum` are.
    """
    names = (ctypes.c_char_p * 1)(encoded(member.name))
    own = ClassValue(encoded(type(member).__name__), None, 1, ctypes.addressof(names))
    if isinstance(member, (int, float, str)):
        value = AnyValue()
        fill(value, member.value, kept)
        own.values = ctypes.addressof(value)
        kept.append(value)
    kept += [names, own]
    return own


def _fill_text(target: AnyValue, kind: int, text: str, kept: list[Any]) -> None:
    data = ctypes.create_string_buffer(encoded(text))
    kept.append(data)
    target.kind, target.length = kind, len(data) - 1
    target.content.address = ctypes.addressof(data)


def _fill_items(target: AnyValue, kind: int, length: int, values: Any, kept: list[Any]) -> None:
    items = (AnyValue * len(values))()
    kept.append(items)
    for item, value in zip(items, values, strict=True):
        fill(item, value, kept)
    target.kind, target.length = kind, length
    target.content.address = ctypes.addressof(items)


def value_of(given: AnyValue) -> Any:
    """Return the value of Python that a result of C is.

    A NamedTuple is one of a class with this name and these fields, and a member of an enum one of
    a class with this name and these members.
    """
    match given.kind:
        case 1:
            return given.content.boolean
        case 2:
            return given.content.integer
        case 3:
            return given.content.real
        case 4:
            return _text(given)
        case 5:
            return _items(given, given.length)
        case 6:
            make = _named_tuple_class(given.type[0]) if given.type else tuple
            return make(_items(given, given.length))
        case 7:
            parts = _items(given, 2 * given.length)
            return dict(zip(parts[::2], parts[1::2], strict=True))
        case 8:
            return tensor_of_handle(given.content.address)
        case 10:
            return complex(given.content.real, given.imaginary)
        case 11:
            return torch.device(_text(given))
        case 12:
            return _enum_class(given.type[0])[_text(given)]
    return None


def _text(given: AnyValue) -> str:
    return _decoded(ctypes.string_at(given.content.address, given.length))


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _items(given: AnyValue, count: int) -> list[Any]:
    if not count:
        return []
    return [value_of(each) for each in (AnyValue * count).from_address(given.content.address)]


def _names_in(type: ClassValue) -> tuple[str, ...]:
    """Return the names of a class's fields or members."""
    names = (ctypes.c_char_p * type.length).from_address(type.names)
    return tuple([_decoded(name or b"") for name in names])


def _named_tuple_class(type: ClassValue) -> Callable[[Any], Any]:
    """Return a function from items to a NamedTuple."""
    return class_of_fields(_decoded(type.name), _names_in(type))


def _enum_class(type: ClassValue) -> Any:
    """Return the enum that a class is; the same one for equal classes."""
    values = (AnyValue * type.length).from_address(type.values)
    members = zip(_names_in(type), map(value_of, values), strict=True)
    return _enum_of(_decoded(type.name), *members)


@lru_cache(maxsize=1024, typed=True)
def _enum_of(name: str, *members: tuple[str, Any]) -> Any:
    return Enum(name, members)
