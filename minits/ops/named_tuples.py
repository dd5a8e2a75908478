"""The values of NamedTuples: a value knows the class that it was made by, whatever it is called.

Where types of one shape meet, the compiler takes one of them (`A(1) if flag else B(2)` is an A),
and the value stays what it was made as, a B. As in torch, which keeps the type with the value.

Source: aten/src/ATen/core/ivalue_inl.h (`ivalue::Tuple`), torch/csrc/jit/python/pybind_utils.h.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from minits.types import types as t


@lru_cache(maxsize=1024)
def named_tuple_class(type: t.TupleType) -> Callable[[Any], Any]:
    """Return a function from elements to a Python value of a NamedTuple type."""
    assert type.name is not None
    return class_of_fields(type.name.rpartition(".")[2], type.fields)


@lru_cache(maxsize=1024)
def class_of_fields(name: str, fields: tuple[str, ...]) -> Callable[[Any], Any]:
    """Return a function from elements to a Python value of a NamedTuple of this name."""
    cls: Any = namedtuple(name, fields)  # type: ignore[misc]
    made: Callable[[Any], Any] = cls._make
    return made


def has_fields(value: Any, type: t.TupleType) -> bool:
    """Return whether a tuple was made with the fields of a NamedTuple type, in their order."""
    return getattr(value, "_fields", ()) == type.fields
