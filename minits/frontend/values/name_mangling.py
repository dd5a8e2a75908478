"""Unique names of types, mangled as torch mangles them; functions found by a class and a name."""

from __future__ import annotations

import inspect
from itertools import count
from typing import Any

from minits import torch_internals as internals

_taken: set[str] = set()
_numbers = count()


def unique_name(name: str) -> str:
    """Return `name`, or with `___torch_mangle_N` before its last part where it is taken."""
    while name in _taken:
        module, _, last = name.rpartition(".")
        base = module.partition(".___torch_mangle_")[0]
        name = f"{base}.___torch_mangle_{next(_numbers)}.{last}"
    _taken.add(name)
    return name


def method_function(cls: type, name: str) -> Any:
    """Return the Python function of a class's method; a class method is one whose `cls` is self."""
    found = getattr(cls, name, None)
    return found.__func__ if inspect.ismethod(found) else found


def qualified_name(value: Any) -> str:
    """Return torch's name of a Python function or class: `__torch__.module.name`."""
    if getattr(value, "__module__", None) is None:  # made by `exec` in a bare dict
        return f"__torch__.{value.__name__}"
    return internals.qualified_name(value)
