"""Arguments that are more than numbers and plain lists: Python writes them as words, C reads them.

    (7, ["a"])      n 7 -                 a number
                    s 1 - "a"             a str: its length, then its bytes
                    l 1 -1                a list of the one that was written last, a list in C
                    t 2 2                 a tuple of two, with a bit for each that is a list in C
    t 3 4                 a value of Any: three, its type, its tests and itself (`tags.py`)
                    h 1 -                 a tensor: the word that its handle points to
                    e                     the end

Every word has eight bytes. None is the number 0, and a number that may be None a list of it, as
everywhere in C (`optional_numbers.py`).

Layout: `mts_given` (c/given.c).
"""

from __future__ import annotations

import ctypes
import struct
from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from minits.ir.graph import Value
from minits.native.c_types import (
    HELD,
    TaggedType,
    c_type,
    c_type_of,
    has_tensors,
    held_mask,
    is_number,
    is_of_python,
    number_of_device,
    type_of_attributes,
)
from minits.native.complex_numbers import BOXED
from minits.native.enums import number_of
from minits.native.handles import number_of_tensor
from minits.native.optional_numbers import is_optional_number
from minits.ops.implementations.text import encoded
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

_PLAIN = (t.INT, t.FLOAT, t.BOOL, t.STR)


def is_given_as_words(type: t.Type) -> bool:
    """Return whether arguments of a type are handed over as words, and not by a shorter way."""
    if isinstance(type, t.OptionalType):
        return type.element not in (*_PLAIN, t.TENSOR, t.DEVICE)
    if isinstance(type, t.DictType):
        return not all(map(_is_plain_item, (type.key, type.value)))
    if isinstance(type, t.ListType):
        return not _is_plain_item(type.element)
    return c_type_of(type) is HELD and type not in (t.STR, t.TENSOR)


def _is_plain_item(type: t.Type) -> bool:
    """Return whether lists of a type have a short way: of numbers, of strs, of lists of numbers."""
    element = type.element if isinstance(type, t.ListType) else type
    return type == t.STR or (element in _PLAIN and element != t.STR)


def parameters(body: BlockPrinter, value: Value) -> list[str]:
    """Print the making of an argument of its words. Raises `NotNative`."""
    c_type(value)
    name = body.function.names.of(value)
    words = body.function.names.new(f"{name}_words")
    body.hold(name)
    body.line(f"{HELD.of(name)};")
    take = "mts_tensor_given" if has_tensors(value.type) else "0"
    body.line(f"if (!mts_given(pool, {words}, {take}, &{name})) return MTS_NO_MEMORY;")
    return [f"const mts_value *{words}"]


def words_of(value: Any, type: t.Type) -> array[int]:
    """Return the words of a value.

    Raises `ctypes.ArgumentError` where a number is a symbol of torch.export.
    """
    try:
        return array("q", [*_words(value, type), ord("e"), 0, 0])
    except (TypeError, struct.error) as error:
        raise ctypes.ArgumentError(str(error)) from None


def _words(value: Any, type: t.Type) -> Iterator[int]:
    if value is None:
        yield from (ord("n"), 0, 0)
    elif isinstance(type, TaggedType):
        own = type.tags.type_of(value, type.declared)
        yield from (ord("n"), type.tags.number(own), 0, ord("n"), type.tags.bits(own), 0)
        yield from _words(value, own)
        yield from (ord("t"), 3, held_mask([t.INT, t.INT, own]))
    elif type == t.TENSOR:
        yield from (ord("h"), number_of_tensor(value), 0)
    elif type == BOXED:
        for part in (value.real, value.imag):
            yield from _words(part, t.FLOAT)
        yield from (ord("l"), 2, 0)
    elif is_number(type):
        kind = {bool: "b", int: "i", float: "f", complex: "c"}[value.__class__]
        yield from (ord("n"), ord(kind), 0)
        yield from _words(value.real, t.FLOAT if kind in "fc" else t.INT)
        yield from _words(value.imag, t.FLOAT)
        yield from (ord("l"), 3, 0)
    elif isinstance(type, t.OptionalType):
        yield from _words(value, type.element)
        if is_optional_number(type):
            yield from (ord("l"), 1, 0)
    elif type == t.STR:
        data = encoded(value)
        yield from (ord("s"), len(data), 0)
        yield from array("q", data + bytes(-len(data) % 8))
    elif isinstance(type, t.ListType):
        for item in value:
            yield from _words(item, type.element)
        yield from (ord("l"), len(value), -held_mask([type.element]))
    elif isinstance(type, t.ClassType):
        yield from _words(value, type_of_attributes(type))
    elif isinstance(type, t.TupleType):
        for item, element in zip(value, type.elements, strict=True):
            yield from _words(item, element)
        yield from (ord("t"), len(value), _signed(held_mask(type.elements)))
    elif isinstance(type, t.DictType):
        for key, item in value.items():
            yield from _words(key, type.key)
            yield from _words(item, type.value)
        of_floats = 4 if type.key == t.FLOAT else 0
        yield from (ord("d"), len(value), held_mask([type.key, type.value]) | of_floats)
    else:
        yield from (ord("n"), _word_of_number(value, type), 0)


def _word_of_number(value: Any, type: t.Type) -> int:
    """Return the word whose bits are those of a number in `mts_value`."""
    found = c_type_of(type)
    assert found is not None
    if isinstance(type, t.EnumType):
        return number_of(value)
    if type == t.DEVICE:
        return number_of_device(value)
    if is_of_python(type):
        return id(value)
    (word,) = struct.unpack("q", struct.pack(found.code, value))
    return int(word)


def _signed(mask: int) -> int:
    """Return a number of 64 bits with the sign that its highest bit is."""
    return mask - (1 << 64) if mask >> 63 else mask
