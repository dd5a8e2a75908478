"""The slots by which C takes an object for a sequence, as they were before a trace.

CPython fills a type's `sq_item` when `__getitem__` is set, and leaves it filled when the method is
deleted again. `PySequence_Check` would be true of all tensors from then on: `torch.tensor([size])`
would take the size for a list, and so would pybind11, which converts the arguments of torch.jit.

Source: Objects/typeobject.c (`update_one_slot`), Include/cpython/object.h of CPython.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import c_char, c_void_p
from typing import Any

_GET_SLOT = ctypes.PYFUNCTYPE(c_void_p, ctypes.py_object, ctypes.c_int)(
    ("PyType_GetSlot", ctypes.pythonapi)
)
_SLOTS = {"item": (44, "__getitem__"), "ass_item": (39, "__setitem__")}
"""By the slot: its number in CPython's stable ABI, and the method that fills it."""


class _SequenceMethods(ctypes.Structure):
    _fields_ = (
        ("length_concat_repeat", c_void_p * 3),
        ("item", c_void_p),
        ("was_slice", c_void_p),
        ("ass_item", c_void_p),
    )


class _TypeObject(ctypes.Structure):
    _fields_ = (
        ("head", c_char * object.__basicsize__),
        ("size_to_as_number", c_void_p * 11),
        ("as_sequence", ctypes.POINTER(_SequenceMethods)),
    )


def empty_sequence_slots(cls: type, of: Any) -> None:
    """Empty the slots of a class and its subclasses where their methods are those of another one.

    A slot that the interpreter itself finds elsewhere than this file stays as it is.
    """
    for each in _with_subclasses(cls):
        slots = _TypeObject.from_address(id(each)).as_sequence.contents
        for slot, (number, method) in _SLOTS.items():
            is_inherited = getattr(each, method, None) is getattr(of, method)
            if is_inherited and getattr(slots, slot) == _GET_SLOT(each, number):
                setattr(slots, slot, None)


def _with_subclasses(cls: type) -> Iterator[type]:
    yield cls
    subclasses: list[type] = type.__subclasses__(cls)
    for each in subclasses:
        yield from _with_subclasses(each)
