"""`hash(x)`: the numbers that torch computes, which are the same in every process; and `id(x)`.

A number of 64 bits is its own hash, and so is a bool. Floats and strings are hashed by their bytes,
as the C++ library of GNU does (MurmurHash64A), and a tuple's hash combines those of its items.
What can change has none, nor have complex numbers, members of an Enum and objects.

Source: aten/src/ATen/core/ivalue.cpp (`IValue::hash`), c10/util/hash.h (`hash_combine`) and, in
libstdc++, libsupc++/hash_bytes.cc (`_Hash_bytes`).
Differs: a dtype is hashed as the int that it is, and a tensor by Python's address, not by C++'s.
"""

from __future__ import annotations

import enum
import struct
from collections.abc import Callable
from typing import Any

import torch

from minits.compilation_state import known_class
from minits.ops.errors import ScriptError
from minits.ops.implementations.integers import wrap
from minits.ops.implementations.text import encoded
from minits.types.inference import CannotInfer, infer_type

_MASK = 2**64 - 1
_SEED = 0xC70F6907
_FACTOR = (0xC6A4A793 << 32) + 0x5BD1E995
_GOLDEN_RATIO = 0x9E3779B9


def hash_(value: Any) -> int:
    """Return the hash of a value. Raises `ScriptError` for one that has none."""
    return wrap(_hash(value))


def _hash(value: Any) -> int:
    """Return the hash as a number without sign, of 64 bits; of an int, the int."""
    if value is None:
        return 0
    if isinstance(value, int) and not isinstance(value, enum.Enum):
        return int(value)
    if isinstance(value, float):
        return _hash_bytes(struct.pack("<d", value)) if value != 0 else 0
    if isinstance(value, str) and not isinstance(value, enum.Enum):
        return _hash_bytes(encoded(value))
    if isinstance(value, tuple):
        return _hash_items(value)
    if isinstance(value, (torch.Tensor, torch.device, torch.Generator, torch.Stream)):
        return hash(value)
    raise ScriptError(f"unhashable type: '{_type_name(value)}'")


def _hash_items(items: tuple[Any, ...]) -> int:
    combined = 0
    for item in items:
        shifted = (combined << 6) + (combined >> 2)
        combined = (combined ^ (_hash(item) + _GOLDEN_RATIO + shifted)) & _MASK
    return combined


def _hash_bytes(data: bytes) -> int:
    hashed = _SEED ^ (len(data) * _FACTOR & _MASK)
    whole = len(data) - len(data) % 8
    for start in range(0, whole, 8):
        word = int.from_bytes(data[start : start + 8], "little")
        hashed = (hashed ^ _multiplied(_mixed(_multiplied(word)))) * _FACTOR & _MASK
    if whole < len(data):
        hashed = _multiplied(hashed ^ int.from_bytes(data[whole:], "little"))
    return _mixed(_multiplied(_mixed(hashed)))


def _multiplied(number: int) -> int:
    return number * _FACTOR & _MASK


def _mixed(number: int) -> int:
    return number ^ (number >> 47)


def _type_name(value: Any) -> str:
    """The annotation of a value's type, or else its class, as far as either is known."""
    known = known_class(value)
    if known is not None:
        return known.annotation
    try:
        return infer_type(value).annotation
    except CannotInfer:
        return type(value).__name__


def identity(value: Any) -> int:
    """Return `id(x)` of an object of a script class or of a module; 0 for None."""
    return 0 if value is None else id(value)


TABLE: dict[str, Callable[..., Any]] = {"aten::hash.generic": hash_, "prim::id": identity}
