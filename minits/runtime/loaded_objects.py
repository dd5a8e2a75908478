"""Objects of script classes whose Python class is not at hand, as those of archives.

Compiled code reads and sets their attributes as those of any object; from Python, their methods are
the compiled ones.

Source: torch/jit/_script.py (`RecursiveScriptClass`).
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

from minits.kept import KeptTable
from minits.runtime.script import ScriptMethod
from minits.types import types as t

_TYPES: KeptTable[t.ClassType] = KeptTable()


class LoadedObject:
    """An object of a compiled class."""

    def __getattr__(self, name: str) -> Any:
        """Return a method, or a property's value. Raises AttributeError."""
        type_ = _TYPES[type(self)]
        if name in type_.methods:
            return ScriptMethod(type_.methods[name], self)
        if name in type_.properties:
            return ScriptMethod(type_.methods[type_.properties[name][0]], self)()
        raise AttributeError(f"{type_.short_name} has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        type_ = _TYPES[type(self)]
        setter = type_.properties.get(name, (None, None))[1]
        if setter is None:
            super().__setattr__(name, value)
        else:
            ScriptMethod(type_.methods[setter], self)(value)

    def __copy__(self) -> LoadedObject:
        made = object.__new__(type(self))
        made.__dict__.update(vars(self))
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> LoadedObject:
        made = memo[id(self)] = object.__new__(type(self))
        made.__dict__.update(copy.deepcopy(vars(self), memo))
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Refuse to be pickled. Raises PicklingError."""
        raise pickle.PicklingError(
            f"the class of this {_TYPES[type(self)].short_name} was read from an archive, and has "
            "no name by which another process finds it: pickle the module that holds the object"
        )

    def __repr__(self) -> str:
        return f"<{_TYPES[type(self)].name} object at {id(self):#x}>"


def object_class(type_: t.ClassType) -> type[LoadedObject]:
    """Return a Python class for the objects of a compiled class, with its special methods."""
    members: dict[str, Any] = {name: _special(name) for name in type_.methods if name in _SPECIAL}
    made = type(type_.short_name, (LoadedObject,), members)
    _TYPES[made] = type_
    return made


_SPECIAL = frozenset(
    f"__{name}__"
    for name in (
        "len bool int float complex str contains getitem setitem delitem call enter exit hash eq "
        "ne lt le gt ge add sub mul truediv floordiv mod pow and or xor neg invert abs lshift "
        "rshift radd rsub rmul iadd isub imul itruediv"
    ).split()
)
"""The methods that Python looks for in classes, not in objects."""


def _special(name: str) -> Callable[..., Any]:
    def call(self: LoadedObject, *args: Any) -> Any:
        return self.__getattr__(name)(*args)

    return call
