"""Descriptions of a pickle's contents, before any class, tensor or object is made of them.

None, bools, ints, floats, complex numbers, strings, tuples and `torch.device` stand for themselves;
everything that has an identity or a type is one of these. What is described twice in the file is
one description: objects are shared exactly where descriptions are.
"""

from __future__ import annotations

from typing import Any

from minits.records import dataclass, field


@dataclass(eq=False, slots=True)
class ListOf:
    """A list; `tag` is the text of its type (`List[int]`), if the file says it."""

    items: list[Any] = field(default_factory=list)
    tag: str | None = None


@dataclass(eq=False, slots=True)
class DictOf:
    items: list[tuple[Any, Any]] = field(default_factory=list)
    tag: str | None = None


@dataclass(frozen=True, eq=False, slots=True)
class StorageOf:
    """The bytes of tensors: `numel` elements of `dtype` (`Float`) in the record `data/<key>`.

    Tensors share memory when they share this description; the key alone does not say so.
    """

    dtype: str
    key: str
    device: str
    numel: int


@dataclass(eq=False, slots=True)
class TensorOf:
    """A strided view of a storage; sizes are in elements."""

    storage: StorageOf
    offset: int
    size: tuple[int, ...]
    stride: tuple[int, ...]
    requires_grad: bool
    is_conjugate: bool = False
    is_negative: bool = False
    quantizer: tuple[Any, ...] | None = None


@dataclass(eq=False, slots=True)
class SparseOf:
    """A sparse tensor: COO (indices, values) or CSR (row starts, columns, values)."""

    size: tuple[int, ...]
    requires_grad: bool
    parts: tuple[TensorOf, ...]


@dataclass(eq=False, slots=True)
class ObjectOf:
    """An object of a class in code/. `state` is a `DictOf`, or what `__getstate__` returned."""

    class_name: str
    state: Any
    offset: int


@dataclass(eq=False, slots=True)
class EnumOf:
    """The member of an enum with this value."""

    class_name: str
    value: Any
    offset: int


@dataclass(eq=False, slots=True)
class Ignored:
    """An object that readers ignore, such as the hooks of tensors."""


def is_shared(description: Any) -> bool:
    """Return whether a description has an identity, so that it must become one object."""
    return isinstance(description, (ListOf, DictOf, TensorOf, SparseOf, ObjectOf))
