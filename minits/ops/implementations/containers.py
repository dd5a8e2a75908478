"""Lists and dicts: Python's own, changed in place.

A dict keeps the order of insertion; `popitem` takes the *first* item, unlike Python's.

Source: torch/csrc/jit/runtime/register_ops_utils.h, register_prim_ops.cpp (`CREATE_DICT_OPS`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch

from minits.ops.errors import ScriptError, ScriptIndexError, ScriptKeyError, ScriptValueError
from minits.ops.implementations.integers import wrap32
from minits.ops.implementations.text import format_value
from minits.types.int64 import MIN_INT

_OUT_OF_RANGE = "list index out of range"


def get_item(items: list[Any], index: int) -> Any:
    """Return `items[index]`. Raises `ScriptIndexError`."""
    try:
        return items[index]
    except IndexError:
        raise ScriptIndexError(_OUT_OF_RANGE) from None


def set_item(items: list[Any], index: int, value: Any) -> list[Any]:
    """Assign `items[index]`; return the list. Raises `ScriptIndexError`."""
    try:
        items[index] = value
    except IndexError:
        raise ScriptIndexError(_OUT_OF_RANGE) from None
    return items


def append(items: list[Any], value: Any) -> list[Any]:
    items.append(value)
    return items


def extend(items: list[Any], others: list[Any]) -> None:
    items.extend(others)


def insert(items: list[Any], index: int, value: Any) -> None:
    items.insert(index, value)


def pop(items: list[Any], index: int = -1) -> Any:
    """Remove an element and return it. Raises `ScriptIndexError`."""
    if not items:
        raise ScriptIndexError("pop from empty list")
    try:
        return items.pop(index)
    except IndexError:
        raise ScriptIndexError(_OUT_OF_RANGE) from None


def delete(items: list[Any], index: int) -> None:
    """Remove an element. Raises `ScriptIndexError`."""
    if not items:
        raise ScriptIndexError("pop index out of range")
    pop(items, index)


def add_in_place(items: list[Any], others: list[Any]) -> list[Any]:
    items += others
    return items


def multiply_in_place(items: list[Any], times: int) -> list[Any]:
    items *= times
    return items


def slice_(
    items: list[Any], start: int | None = None, end: int | None = None, step: int = 1
) -> list[Any]:
    check_step(step)
    return items[start:end:step]


def check_step(step: int) -> None:
    """Check that a slice's step is not 0 and can be negated. Raises `ScriptError`."""
    if step == 0:
        raise ScriptError("List slice should have non-zero step")
    if step == MIN_INT:
        raise ScriptError("List slice step is out of bounds")


def equal_floats(a: list[float], b: list[float]) -> bool:
    """NaN is not equal to itself."""
    return len(a) == len(b) and all(map(operator.eq, a, b))


def contains_float(items: list[float], value: float) -> bool:
    return any(item == value for item in items)


def equal_tensors(a: list[torch.Tensor], b: list[torch.Tensor]) -> bool:
    """Return whether lists are equal, by tensors of one element; torch raises for larger ones."""
    return len(a) == len(b) and all(bool(x.eq(y)) for x, y in zip(a, b, strict=True))


def _find(items: list[Any], value: Any) -> int:
    """Return the index of an element, or -1."""
    if isinstance(value, torch.Tensor):
        return next((i for i, item in enumerate(items) if bool(value.eq(item))), -1)
    return next((i for i, item in enumerate(items) if item == value), -1)


def index(items: list[Any], value: Any) -> int:
    """Return the index of the first equal element. Raises `ScriptValueError` if there is none."""
    index = _find(items, value)
    if index < 0:
        raise ScriptValueError(f"'{format_value(value)}' is not in list")
    return index


def remove(items: list[Any], value: Any) -> None:
    """Remove the first equal element. Raises `ScriptValueError` if there is none."""
    index = _find(items, value)
    if index < 0:
        raise ScriptValueError("list.remove(x): x not in list")
    del items[index]


def count(items: list[Any], value: Any) -> int:
    if isinstance(value, torch.Tensor):
        return sum(bool(value.eq(item)) for item in items)
    return sum(item == value for item in items)


def least(items: list[Any]) -> Any:
    """Return the least element. Raises `ScriptError` for an empty list."""
    if not items:
        raise ScriptError("min() arg is an empty sequence")
    return min(items)


def greatest(items: list[Any]) -> Any:
    """Return the greatest element. Raises `ScriptError` for an empty list."""
    if not items:
        raise ScriptError("max() arg is an empty sequence")
    return max(items)


def lesser_list(a: list[Any], b: list[Any]) -> list[Any]:
    """The lesser by the first different element, else the shorter; `min(a, b)`."""
    return b if b < a else a


def greater_list(a: list[Any], b: list[Any]) -> list[Any]:
    return b if b > a else a


def sum_ints(items: list[int]) -> int:
    """torch adds in 32 bits."""
    return wrap32(sum(items))


def sum_floats(items: list[float]) -> float:
    """From left to right: Python 3.12's `sum` compensates for rounding."""
    total = 0.0
    for item in items:
        total += item
    return total


def sum_complex(items: list[complex]) -> complex:
    total = 0j
    for item in items:
        total += item
    return total


def range_list(count: int) -> list[int]:
    """Return `[0, ..., count - 1]`. Raises `ScriptError` for a negative count."""
    if count < 0:
        raise ScriptError("a list cannot have a negative length")
    return list(range(count))


def dict_item(mapping: dict[Any, Any], key: Any) -> Any:
    """Return `mapping[key]`. Raises `ScriptKeyError`."""
    try:
        return mapping[key]
    except KeyError:
        raise _no_key(key) from None


def _no_key(key: Any) -> ScriptKeyError:
    return ScriptKeyError(f"KeyError: {format_value(key)}")


def dict_set(mapping: dict[Any, Any], key: Any, value: Any) -> None:
    mapping[key] = value


_ABSENT = object()


def dict_pop(mapping: dict[Any, Any], key: Any, default: Any = _ABSENT) -> Any:
    """Remove a key; return its value or the default. Raises `ScriptKeyError` without either."""
    value = mapping.pop(key, default)
    if value is _ABSENT:
        raise _no_key(key)
    return value


def dict_delete(mapping: dict[Any, Any], key: Any) -> None:
    dict_pop(mapping, key)


def pop_item(mapping: dict[Any, Any]) -> tuple[Any, Any]:
    """Remove the first item and return it. Raises `ScriptError` for an empty dict."""
    if not mapping:
        raise ScriptError("popitem(): dictionary is empty")
    key = next(iter(mapping))
    return key, mapping.pop(key)


def dict_update(mapping: dict[Any, Any], other: dict[Any, Any]) -> None:
    mapping.update(other)


_LIST: dict[str, Callable[..., Any]] = {
    "aten::select.t": get_item,
    "aten::__getitem__.t": get_item,
    "aten::_set_item.t": set_item,
    "aten::append.t": append,
    "aten::reverse.t": list.reverse,
    "aten::extend.t": extend,
    "aten::copy.t": list,
    "aten::list.t": list,
    "aten::clear.t": list.clear,
    "aten::Delete.t": delete,
    "aten::insert.t": insert,
    "aten::pop.t": pop,
    "aten::add.t": operator.add,
    "aten::add_.t": add_in_place,
    "aten::slice.t": slice_,
    "aten::mul.left_t": lambda items, times: items * times,
    "aten::mul.right_": lambda times, items: items * times,
    "aten::mul_.t": multiply_in_place,
    "aten::len.t": len,
    "aten::len.any": len,
    "aten::eq.float_list": equal_floats,
    "aten::ne.float_list": lambda a, b: not equal_floats(a, b),
    "aten::eq.Tensor_list": equal_tensors,
    "aten::ne.Tensor_list": lambda a, b: not equal_tensors(a, b),
    "aten::__contains__.int_list": operator.contains,
    "aten::__contains__.str_list": operator.contains,
    "aten::__contains__.float_list": contains_float,
    "aten::sum.int": sum_ints,
    "aten::sum.bool": sum_ints,
    "aten::sum.float": sum_floats,
    "aten::sum.complex": sum_complex,
    "aten::Size": lambda sizes: sizes,
    "prim::rangelist": range_list,
    "aten::dict": dict,
    "aten::_size_if_not_equal": lambda a, b: None if a == b else a,
}
_SPECIALISED: dict[str, Callable[..., Any]] = {
    "aten::remove.{}": remove,
    "aten::index.list_{}": index,
    "aten::count.{}": count,
}
_DICT: dict[str, Callable[..., Any]] = {
    "aten::len.Dict_{}": len,
    "aten::keys.{}": list,
    "aten::values.{}": lambda mapping: list(mapping.values()),
    "aten::items.{}": lambda mapping: list(mapping.items()),
    "aten::__getitem__.Dict_{}": dict_item,
    "aten::get.{}": dict.get,
    "aten::get.default_{}": dict.get,
    "aten::setdefault.{}": dict.setdefault,
    "aten::Delete.Dict_{}": dict_delete,
    "aten::pop.Dict_{}": dict_pop,
    "aten::pop.Dict_default_{}": dict_pop,
    "aten::popitem.{}": pop_item,
    "aten::clear.{}": dict.clear,
    "aten::update.{}": dict_update,
    "aten::copy.Dict_{}": dict,
    "aten::__contains__.{}": operator.contains,
    "aten::_set_item.{}": dict_set,
    "aten::dict.{}": dict,
    "aten::dict.Dict_{}": dict,
}


def _expand(rows: dict[str, Callable[..., Any]], types: str) -> dict[str, Callable[..., Any]]:
    return {name.format(t): function for name, function in rows.items() for t in types.split()}


TABLE: dict[str, Callable[..., Any]] = {
    **_LIST,
    **_expand(_SPECIALISED, "int float bool Tensor str"),
    **_expand(_DICT, "str int bool float complex Tensor"),
    **_expand({"aten::eq.{}_list": operator.eq, "aten::ne.{}_list": operator.ne}, "int bool str"),
    **_expand({"aten::any.{}": any}, "str int float bool"),
    **_expand({"aten::all.{}": all}, "int float bool"),
    **_expand({"prim::min.self_{}": least, "prim::max.self_{}": greatest}, "int float bool"),
    **_expand(
        {"prim::min.{}_list": lesser_list, "prim::max.{}_list": greater_list}, "int float bool"
    ),
}
