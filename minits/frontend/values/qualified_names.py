"""Names of functions and classes, as torch has them; functions found by a class and a name."""

from __future__ import annotations

import inspect
from typing import Any

from minits import torch_internals as internals


def method_function(cls: type, name: str) -> Any:
    """Return the Python function of a class's method; a class method is one whose `cls` is self."""
    found = getattr(cls, name, None)
    return found.__func__ if inspect.ismethod(found) else found


def qualified_name(value: Any) -> str:
    """Return torch's name of a Python function or class: `__torch__.module.name`."""
    if getattr(value, "__module__", None) is None:  # made by `exec` in a bare dict
        return f"__torch__.{value.__name__}"
    return internals.qualified_name(value)
