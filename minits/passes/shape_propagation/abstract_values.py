"""Values of shape propagation: Python's, with metadata in place of tensors, or unknown.

Where two ways through a program meet, a value is the join of what each gives.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

import torch

from minits.ops.eager_strides import contiguous_strides
from minits.records import replace
from minits.types.tensor_meta import TensorMeta, is_plain, meta_of

UNKNOWN = object()
UNINITIALIZED = object()
"""The result of a branch that raises before its end."""


def has_tensors(value: Any) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return any(map(has_tensors, value))
    return isinstance(value, torch.Tensor)


def holds_tensors(value: Any) -> bool:
    """Return whether a list, a tuple or a dict has tensors in it."""
    return not isinstance(value, torch.Tensor) and has_tensors(value)


def abstract(value: Any) -> Any:
    """Return a Python value with metadata for tensors; unknown where there is none."""
    if isinstance(value, torch.Tensor):
        return meta_of(value) if is_plain(value) else UNKNOWN
    if type(value) in (list, tuple):
        items = [abstract(item) for item in value]
        return UNKNOWN if _has_unknown(items) else type(value)(items)
    if isinstance(value, tuple):  # a NamedTuple
        return abstract(tuple(value))
    if isinstance(value, dict):
        known = {key: abstract(item) for key, item in value.items()}
        return UNKNOWN if _has_unknown(known.values()) else known
    return value


def _has_unknown(values: Iterable[Any]) -> bool:
    """Return whether a value is unknown; objects of C++ classes cannot be compared by `==`."""
    return any(value is UNKNOWN for value in values)


def join_all(items: Any, certain: bool) -> Any:
    """Return the metadata of an element of a list, or of a value of a dict."""
    parts = items.values() if isinstance(items, dict) else items
    return reduce(lambda one, other: join(one, other, certain), parts)


def join(one: Any, other: Any, certain: bool) -> Any:
    """Return the metadata that holds for both of two values."""
    if one is UNINITIALIZED or other is UNINITIALIZED:
        return other if one is UNINITIALIZED else one
    if one is UNKNOWN or other is UNKNOWN:
        return UNKNOWN
    if isinstance(one, TensorMeta) and isinstance(other, TensorMeta):
        return _join_metas(one, other, certain)
    if isinstance(one, (list, tuple)) and type(one) is type(other) and len(one) == len(other):
        items = [join(*pair, certain) for pair in zip(one, other, strict=True)]
        return UNKNOWN if _has_unknown(items) else type(one)(items)
    if type(one) is type(other) and isinstance(one, (bool, int, float, str)):
        return one
    return one if one is other else UNKNOWN


def _join_metas(one: TensorMeta, other: TensorMeta, certain: bool) -> Any:
    """Join two tensors: dtype, device and rank agree, sizes and strides are the first's.

    Which sizes are one is relied upon where it is `certain`, so these agree, too. An example stands
    for both: a size that is one in the first is the second's.
    """
    if (one.dtype, one.device, one.rank) != (other.dtype, other.device, other.rank):
        return UNKNOWN
    ones = [size == 1 for size in one.shape] == [size == 1 for size in other.shape]
    if not ones and certain:
        return UNKNOWN
    if not ones:
        sizes = zip(one.shape, other.shape, strict=True)
        shape = tuple([second if first == 1 else first for first, second in sizes])
        one = replace(one, shape=shape, strides=contiguous_strides(shape))
    return replace(one, requires_grad=one.requires_grad or other.requires_grad)


def is_same(one: Any, other: Any) -> bool:
    if one is other or type(one) is not type(other) or isinstance(one, torch.ScriptObject):
        return one is other
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    return bool(one == other)
