"""The order of lists: `sort`, `sorted`.

torch sorts by `std::sort`, which is no other than Python's sort where `<` is an order. With NaN it
is none: then lists are sorted in runs of 16 items by insertion, which are merged. Up to 16 items
that is what the library of GNU does.

Source: torch/csrc/jit/runtime/register_ops_utils.h (`listSort`), register_special_ops.cpp
(`sort_op`), aten/src/ATen/core/ivalue.cpp (`getLessThanComparator`).
Differs: of more than 16 items, equal ones keep their order, and those with NaN have another one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from typing import Any

import torch

from minits.compilation_state import known_class
from minits.ops.errors import ScriptError
from minits.ops.implementations.text import encoded, format_value
from minits.types import types as t

_RUN = 16
"""Items of a run, which are sorted by insertion: as many as `std::sort` sorts so."""


def sort(items: list[Any], reverse: bool = False) -> None:
    key: Callable[[Any], Any] | None = None
    if items and isinstance(items[0], torch.Tensor):
        key = _KEY
    elif items and isinstance(items[0], str):
        key = encoded  # whose order is not Python's where a str is no valid UTF-8
    elif items and isinstance(items[0], (float, tuple)) and _has_nan(items):
        _merge_sort(items, (lambda a, b: _is_less(b, a)) if reverse else _is_less)
        return
    items.sort(key=key, reverse=reverse)


def sorted_(items: list[Any]) -> list[Any]:
    copy = list(items)
    sort(copy)
    return copy


def sort_any(items: list[Any], reverse: bool = False) -> None:
    """Sort tuples or objects. Raises ScriptError for elements that have no order."""
    if items:
        _check_sortable(items)
    sort(items, reverse)


def sorted_any(items: list[Any]) -> list[Any]:
    copy = list(items)
    sort_any(copy)
    return copy


# ---- Which values have an order ----------------------------------------------------------------


def _check_sortable(items: list[Any]) -> None:
    """Check that all items have one type that is ordered; tuples by their items."""
    first = _kind(items[0])
    for item in items[1:]:
        if _kind(item) != first:
            raise ScriptError(
                "Only values of same type can be compared, found "
                f"{format_value(items[0])} and {format_value(item)}"
            )


_SORTABLE = (bool, int, float, str, torch.Tensor)


def _kind(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_kind, value))
    if isinstance(value, _SORTABLE):
        return value.__class__
    name = value.__class__.__name__
    type = known_class(value)
    own = value.__class__.__module__ != "builtins" and "__lt__" in vars(value.__class__)
    if type is None and not own:
        raise ScriptError(
            f"Contained elements of type {name} are not sortable: only ints, bools, floats, "
            "strings, Tensors, objects with __lt__ and tuples of such are"
        )
    if type is not None and not has_order(type):
        raise ScriptError(
            f"To sort a list of {name} it must define a __lt__ method with two inputs of type "
            f"{name} that returns a bool"
        )
    return value.__class__


def has_order(type: t.ClassType) -> bool:
    """Return whether objects of a class are sorted, by their `__lt__`."""
    method = type.methods.get("__lt__")
    if method is None:
        return False
    schema = method.schema
    types = [argument.type for argument in schema.arguments]
    return types == [type, type] and [result.type for result in schema.returns] == [t.BOOL]


# ---- Their order -------------------------------------------------------------------------------


def _compare(a: torch.Tensor, b: torch.Tensor) -> int:
    return -1 if bool(a.lt(b)) else int(bool(b.lt(a)))


_KEY = cmp_to_key(_compare)


def _has_nan(values: Any) -> bool:
    """Return whether a list or tuple holds NaN."""
    if any(isinstance(value, float) and value != value for value in values):
        return True
    return any(isinstance(value, tuple) and _has_nan(value) for value in values)


def _is_less(a: Any, b: Any) -> bool:
    """Return whether `a < b`: of tuples, by the first items that are not equal. NaN is to none."""
    if not isinstance(a, tuple):
        return bool(encoded(a) < encoded(b) if isinstance(a, str) else a < b)
    for x, y in zip(a, b, strict=True):
        if _is_less(x, y):
            return True
        if not _is_equal(x, y):
            return False
    return False


def _is_equal(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return all(map(_is_equal, a, b))
    return bool(a == b)


def _merge_sort(items: list[Any], is_before: Callable[[Any, Any], bool]) -> None:
    length, width = len(items), _RUN
    for start in range(0, length, width):
        items[start : start + width] = _inserted(items[start : start + width], is_before)
    while width < length:
        for start in range(0, length, 2 * width):
            left = items[start : start + width]
            right = items[start + width : start + 2 * width]
            items[start : start + 2 * width] = _merged(left, right, is_before)
        width *= 2


def _inserted(items: list[Any], is_before: Callable[[Any, Any], bool]) -> list[Any]:
    """Return the sorted items, each compared with the first one before the others, as in C++."""
    found: list[Any] = []
    for item in items:
        place = len(found)
        if found and is_before(item, found[0]):
            place = 0
        while place and is_before(item, found[place - 1]):
            place -= 1
        found.insert(place, item)
    return found


def _merged(left: list[Any], right: list[Any], is_before: Callable[[Any, Any], bool]) -> list[Any]:
    """Return the items of two sorted lists, of equal ones those of the left list first."""
    found, at = [], 0
    for item in left:
        while at < len(right) and is_before(right[at], item):
            found.append(right[at])
            at += 1
        found.append(item)
    return [*found, *right[at:]]


TABLE: dict[str, Callable[..., Any]] = {
    "aten::sort.any": sort_any,
    "aten::sorted.any": sorted_any,
    **{f"aten::sort.{type}": sort for type in ("int", "float", "bool", "Tensor", "str")},
    **{f"aten::sorted.{type}": sorted_ for type in ("int", "float", "bool", "Tensor", "str")},
}
