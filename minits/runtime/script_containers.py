"""Lists and dicts that Python and compiled code share.

A call copies a plain list, so that compiled code never changes the caller's. `minits.script([1])`
makes a `ScriptList`, which is handed over as it is: what compiled code does to it, Python sees. In
return, every item that Python puts in must be of the one type that the container was made with.

Source: torch/csrc/jit/python/python_list.cpp and python_dict.cpp.
Differs: an argument must have the container's own type; torch takes a list for one of any type.
"""

from __future__ import annotations

import operator
import pickle
from collections.abc import Callable, Iterator, MutableMapping, MutableSequence
from typing import Any

from minits.diagnostics import error
from minits.frontend.python.class_registry import class_types
from minits.ops.from_python import convert_value
from minits.types import types as t
from minits.types.inference import CannotInfer, infer_type
from minits.types.remembered import names_class
from minits.types.types import Type


def script_list(items: list[Any]) -> ScriptList:
    """Return a shared copy of a list; an empty one is for tensors."""
    type = t.ListType(t.TENSOR) if not items else _infer(items)
    assert isinstance(type, t.ListType)
    return ScriptList(convert_value(type, items), type)


def script_dict(items: dict[Any, Any]) -> ScriptDict:
    """Return a shared copy of a dict; an empty one is for tensors under strings."""
    type = t.DictType(t.STR, t.TENSOR) if not items else _infer(items)
    assert isinstance(type, t.DictType)
    return ScriptDict(convert_value(type, items), type)


def _infer(items: Any) -> Type:
    try:
        return infer_type(items, class_types)
    except CannotInfer as why:
        raise error(
            None,
            "TS614",
            f"this {type(items).__name__} has no TorchScript type: {why}",
            fix="give all items one type",
        ) from None


class ScriptList(MutableSequence[Any]):
    """A list with items of one type, which calls of compiled code do not copy."""

    def __init__(self, data: list[Any], type: t.ListType) -> None:
        self.data, self.shared_type = data, type

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return ScriptList(self.data[index], self.shared_type)
        return convert_value(self.shared_type.element, self.data[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        """Assign an item, or all items of a slice. Raises RuntimeError for another number."""
        if not isinstance(index, slice):
            self.data[index] = convert_value(self.shared_type.element, value)
            return
        items = [convert_value(self.shared_type.element, item) for item in value]
        if len(self.data[index]) != len(items):
            raise RuntimeError(
                f"a slice of {len(self.data[index])} items cannot be assigned {len(items)} items"
            )
        self.data[index] = items

    def __delitem__(self, index: Any) -> None:
        del self.data[operator.index(index)]  # not of a slice, as in torch

    def __len__(self) -> int:
        return len(self.data)

    def __contains__(self, value: Any) -> bool:
        return convert_value(self.shared_type.element, value) in self.data

    def insert(self, index: int, value: Any) -> None:
        self.data.insert(index, convert_value(self.shared_type.element, value))

    def extend(self, values: Any) -> None:
        self.data.extend([convert_value(self.shared_type.element, value) for value in values])

    def count(self, value: Any) -> int:
        return self.data.count(convert_value(self.shared_type.element, value))

    def remove(self, value: Any) -> None:
        self.data.remove(convert_value(self.shared_type.element, value))

    def __eq__(self, other: object) -> bool:
        return self.data == (other.data if isinstance(other, ScriptList) else other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _parts(self, script_list)

    def __repr__(self) -> str:
        return repr(self.data)


class ScriptDict(MutableMapping[Any, Any]):
    """A dict with keys of one type and values of one type, which calls do not copy."""

    def __init__(self, data: dict[Any, Any], type: t.DictType) -> None:
        self.data, self.shared_type = data, type

    def __getitem__(self, key: Any) -> Any:
        return convert_value(self.shared_type.value, self.data[self._known(key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.data[convert_value(self.shared_type.key, key)] = convert_value(
            self.shared_type.value, value
        )

    def __delitem__(self, key: Any) -> None:
        del self.data[convert_value(self.shared_type.key, key)]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __contains__(self, key: Any) -> bool:
        return self._known(key) in self.data

    def _known(self, key: Any) -> Any:
        """Return a key converted to the dict's type. Raises `KeyError` if it is of another type."""
        try:
            return convert_value(self.shared_type.key, key)
        except TypeError:
            raise KeyError(key) from None

    def __reduce__(self) -> tuple[Any, ...]:
        return _parts(self, script_dict)

    def __repr__(self) -> str:
        return repr(self.data)


def _parts(container: ScriptList | ScriptDict, make: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Return the parts for `__reduce__`; classes are compiled anew. Raises `PicklingError`."""
    if not names_class(container.shared_type):
        return type(container), (container.data, container.shared_type)
    if not container.data:
        raise pickle.PicklingError(
            f"a container of type {container.shared_type.annotation} is pickled by its items, and "
            "this one is empty: pickle a Python list or dict"
        )
    return make, (container.data,)
