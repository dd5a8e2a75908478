"""Values of Python as those of `model.h`, and back, by ctypes."""

from __future__ import annotations

import ctypes
from typing import Any

import torch

from minits.native.handles import handle_of
from minits.ops.implementations.text import encoded
from minits.torch_internals import tensor_of_handle

NONE, BOOL, INT, FLOAT, STR, LIST, TUPLE, DICT, TENSOR, LEFT_OUT = range(10)
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


class AnyValue(ctypes.Structure):
    """An `mts_any`."""

    _fields_ = [
        ("kind", ctypes.c_int),
        ("length", ctypes.c_int64),
        ("content", _Content),
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
            data = ctypes.create_string_buffer(encoded(value))
            kept.append(data)
            target.kind, target.length = STR, len(data) - 1
            target.content.address = ctypes.addressof(data)
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


def _fill_items(target: AnyValue, kind: int, length: int, values: Any, kept: list[Any]) -> None:
    items = (AnyValue * len(values))()
    kept.append(items)
    for item, value in zip(items, values, strict=True):
        fill(item, value, kept)
    target.kind, target.length = kind, length
    target.content.address = ctypes.addressof(items)


def value_of(given: AnyValue) -> Any:
    """Return the value of Python that a result of C is."""
    match given.kind:
        case 1:
            return given.content.boolean
        case 2:
            return given.content.integer
        case 3:
            return given.content.real
        case 4:
            data = ctypes.string_at(given.content.address, given.length)
            return data.decode("utf-8", "surrogateescape")
        case 5:
            return _items(given, given.length)
        case 6:
            return tuple(_items(given, given.length))
        case 7:
            parts = _items(given, 2 * given.length)
            return dict(zip(parts[::2], parts[1::2], strict=True))
        case 8:
            return tensor_of_handle(given.content.address)
    return None


def _items(given: AnyValue, count: int) -> list[Any]:
    if not count:
        return []
    return [value_of(each) for each in (AnyValue * count).from_address(given.content.address)]
