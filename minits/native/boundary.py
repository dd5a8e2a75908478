"""Values between Python and C: numbers by registers and slots, lists by their items, strs by their
bytes.

A list that C is given is a copy, as with all arguments of torch.jit; one that it returns is a new
list of Python, the same one wherever it is returned again.

Layout: `mts_value` and `mts_list` (c/lists.c), `mts_dict` (c/dicts.c).
"""

from __future__ import annotations

import ctypes
import struct
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any

import torch

from minits.native.c_types import (
    HELD,
    ElementType,
    TaggedType,
    c_type_of,
    device_of_number,
    is_number,
    is_of_python,
    is_tagged,
    type_of_attributes,
)
from minits.native.enums import members_of
from minits.native.handles import object_at, tensor_at
from minits.native.optional_numbers import is_optional_number
from minits.ops.implementations.instances import new_object
from minits.ops.implementations.structure import setter_of
from minits.ops.implementations.text import encoded
from minits.ops.named_tuples import named_tuple_class
from minits.records import dataclass
from minits.types import types as t

Slots = Any
"""An array of `c_int64`, the `mts_value *out` of a function."""


@dataclass(frozen=True, slots=True)
class EndedTask:
    """A task that has raised: the number of the site, and where the values lie that this tells."""

    site: int
    told: int


_HEAD = ctypes.c_int64 * 4
"""The head of an `mts_list`: its length, the number of its holders, its capacity, its items."""
_DICT = ctypes.c_int64 * 11
"""That of an `mts_dict`, whose last word here is the number of its entries."""


def arrays_of(values: Sequence[Any], type: t.Type) -> list[array[Any]]:
    """Return arrays of a list's items, as C reads them; of a list of lists, their lengths first.

    Raises `ctypes.ArgumentError` where one is no number, but a symbol of torch.export.
    """
    if type == t.STR:
        return _arrays_of_texts(values)
    arrays = []
    if isinstance(type, t.ListType):
        arrays.append(array("q", map(len, values)))
        values, type = [*chain.from_iterable(values)], type.element
    try:
        return [*arrays, array(code_of(type), values)]
    except TypeError as error:
        raise ctypes.ArgumentError(str(error)) from None


def _arrays_of_texts(values: Sequence[str]) -> list[array[Any]]:
    """Return the lengths of strs, and the bytes of all of them."""
    texts = [*map(encoded, values)]
    return [array("q", map(len, texts)), array("b", b"".join(texts))]


def bytes_of(text: str | None) -> tuple[int, bytes | None]:
    """Return the length and the bytes of a str, as C reads them; a length below 0 for None."""
    if text is None:
        return -1, None
    data = encoded(text)
    return len(data), data


def addresses_of(arrays: Sequence[array[Any]]) -> list[int]:
    return [each.buffer_info()[0] for each in arrays]


def reader(types: Sequence[t.Type], shared: int = 0) -> Callable[..., list[Any]]:
    """Return a function that reads values of these types from the slots of `out`.

    The first slots have the lists that are the caller's: `read(out, lists, known)` gives them as
    such, and notes in `known` which list has which address.
    """
    if types and not shared and all(type == t.TENSOR for type in types):
        return partial(_read_tensors, range(len(types)))
    codes = "".join([code_of(type) for type in types])

    def read(
        out: Slots, lists: Sequence[list[Any]] = (), known: dict[int, Any] | None = None
    ) -> list[Any]:
        known = {} if known is None else known
        known.update(zip(out, lists, strict=False))
        found = struct.unpack_from(codes, out, 8 * shared)
        return [_value(item, type, known) for item, type in zip(found, types, strict=True)]

    return read


def _read_tensors(slots: Sequence[int], out: Slots, lists: Sequence[list[Any]] = ()) -> list[Any]:
    """Return tensors; one that is in two slots is one object, as torch keeps it."""
    addresses = [out[slot] for slot in slots]
    return [tensor_at(address) if address else None for address in addresses]


def give_back(
    types: Sequence[t.Type], out: Slots, lists: Sequence[Any], known: dict[int, Any]
) -> None:
    """Let the caller's lists and dicts have the items that C has left in them.

    An object is a function here, which sets its attributes. `known` are results, by their
    addresses.
    """
    known.update(zip(out, lists, strict=False))
    for address, type, own in zip(out, types, lists, strict=False):
        if not address:  # there was no memory for it
            continue
        if isinstance(type, t.ClassType):
            own(_tuple(address, type_of_attributes(type), known))
        else:
            found = _value(address, type, {})
            own.clear()
            (own.extend if isinstance(type, t.ListType) else own.update)(found)


def code_of(type: t.Type) -> str:
    """Return the code of `struct` for values of a type that is native, as `mts_value` has them."""
    found = c_type_of(type)
    assert found is not None
    return found.code


def _value(item: Any, type: t.Type, known: dict[int, Any]) -> Any:
    """Return the value of an item of `mts_value`. `known` are lists by their addresses."""
    if not item and c_type_of(type) is HELD:
        return None  # or what is not initialized, and which no program reads
    if isinstance(type, TaggedType):
        number, _, item = struct.unpack("qqq", ctypes.string_at(_items(item), 24))
        type = type.tags.types[number]
        (item,) = struct.unpack(code_of(type), struct.pack("q", item))
        return _value(item, type, known)
    if isinstance(type, t.OptionalType):
        if type.element == t.COMPLEX:
            return complex(*struct.unpack("dd", ctypes.string_at(_items(item), 16)))
        if is_optional_number(type):
            (item,) = struct.unpack(code_of(type.element), ctypes.string_at(_items(item), 8))
        return _value(item, type.element, known)
    if type == t.STR:
        return _text(item)
    if type == t.TENSOR:
        if item not in known:
            known[item] = tensor_at(item)
        return known[item]
    if is_number(type):
        return _number(item)
    if type == t.DEVICE:
        return device_of_number(item)
    if is_of_python(type):
        return object_at(item)
    if isinstance(type, t.TupleType):
        return _tuple(item, type, known)
    if is_tagged(type):
        return None  # in an object, where no error asks for it
    if isinstance(type, t.ClassType):
        return _object(item, type, known)
    if isinstance(type, t.ListType):
        return known[item] if item in known else _list(item, type.element, known)
    if isinstance(type, t.DictType):
        return known[item] if item in known else _dict(item, type, known)
    if isinstance(type, t.FutureType):
        number = ctypes.c_int64.from_address(_items(item) + 8).value
        return EndedTask(number, _items(item) + 16)
    if isinstance(type, t.AwaitType):
        return None  # in a list whose length is asked for, where that is an error
    if isinstance(type, t.EnumType):
        return members_of(type)[item]
    if isinstance(type, ElementType):
        return torch.scalar_tensor(item, dtype=type.dtype)
    return bool(item) if type == t.BOOL else item


def _number(address: int) -> Any:
    """Return a number, of the type that its letter tells (c/numbers.c)."""
    words = ctypes.string_at(_items(address), 24)
    kind = chr(words[0])
    if kind in "fc":
        real, imaginary = struct.unpack_from("dd", words, 8)
        return complex(real, imaginary) if kind == "c" else real
    (whole,) = struct.unpack_from("Q" if kind == "u" else "q", words, 8)
    return whole != 0 if kind == "b" else whole


def _items(address: int) -> int:
    return int(_HEAD.from_address(address)[3])


def _tuple(address: int, type: t.TupleType, known: dict[int, Any]) -> tuple[Any, ...]:
    length, _, _, items = _HEAD.from_address(address)
    codes = "".join(map(code_of, type.elements))
    found = struct.unpack(codes, ctypes.string_at(items, 8 * length))
    pairs = zip(found, type.elements, strict=True)
    make = tuple if type.name is None else named_tuple_class(type)
    return make([_value(x, each, known) for x, each in pairs])


def _object(address: int, type: t.ClassType, known: dict[int, Any]) -> Any:
    """Return an object that an operator is told."""
    if address not in known:
        known[address] = new_object(type)  # which may have itself as an attribute
        values = _tuple(address, type_of_attributes(type), known)
        for name, value in zip(type.attributes, values, strict=True):
            setter_of(name)(known[address], value)
    return known[address]


def _dict(address: int, type: t.DictType, known: dict[int, Any]) -> dict[Any, Any]:
    *head, used = _DICT.from_address(address)
    codes = f"{code_of(type.key)}{code_of(type.value)}q" * used
    entries = struct.unpack(codes, ctypes.string_at(head[3], 24 * used))
    triples = zip(entries[::3], entries[1::3], entries[2::3], strict=True)
    found = {
        _value(key, type.key, known): _value(value, type.value, known)
        for key, value, is_there in triples
        if is_there
    }
    known[address] = found
    return found


def _text(address: int) -> str:
    length, _, _, items = _HEAD.from_address(address)
    return ctypes.string_at(items, length).decode("utf-8", "surrogateescape")


def _list(address: int, element: t.Type, known: dict[int, list[Any]]) -> list[Any]:
    length, _, _, items = _HEAD.from_address(address)
    found: list[Any] = array(code_of(element), ctypes.string_at(items, 8 * length)).tolist()
    if element not in (t.INT, t.FLOAT):
        found = [_value(item, element, known) for item in found]
    known[address] = found
    return found
