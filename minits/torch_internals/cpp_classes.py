"""C++ classes that libraries have registered with `torch::class_`, and their objects."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

import torch

schemas_of_classes: Callable[[], Any] = torch._C._jit_get_custom_class_schemas
"""The schemas of all methods of C++ classes, 1.13."""


CPP_OBJECT: type = torch._C.ScriptObject
"""The class of objects of C++ classes; it is `torch.ScriptObject`."""

CPP_CLASS: type = torch._C.ScriptClass
"""The class of `torch.classes.namespace.Name`, 1.13. Without it, no object can be made."""

CPP_FUNCTION: type = torch._C.ScriptClassFunction
"""The class of a static method, `torch.classes.namespace.Name.method`, 1.13."""

_QUALIFIED = re.compile(r"__torch__\.torch\.classes\.[\w.]+\w")
_DECLARATION = re.compile(r"(?:Declaration|Schema): (.+)")


def is_cpp_class(namespace: str, name: str) -> bool:
    """Return whether torch has bound a C++ class `torch.classes.namespace.name`, 1.13."""
    try:
        torch._C._get_custom_class_python_wrapper(namespace, name)
    except RuntimeError:
        return False
    return True


def is_namespace_of_classes(value: Any) -> bool:
    """Return whether a value is `torch.classes.namespace`."""
    return isinstance(value, torch._classes._ClassNamespace)


def is_namespace_of_operators(value: Any) -> bool:
    """Return whether a value is `torch.ops.namespace`."""
    return isinstance(value, torch._ops._OpNamespace)


def name_of_cpp_class(value: Any) -> str:
    """Return the qualified name of the class of a C++ object."""
    return str(value._type())


def cpp_object(name: str, state: Any) -> Any:
    """Return the object of a C++ class that its `__setstate__` makes of a state, 1.13.

    It is what unpickling such an object calls. Without it: the operators that make such objects,
    as `torch.ops.quantized.linear_prepack`.
    """
    made: Any = cast("Any", CPP_OBJECT).__new__(CPP_OBJECT)
    made.__setstate__((state, name))
    return made


def key_of_cpp_object(value: Any) -> int:
    """Return a number that tells a C++ object from others: it is handed to Python anew each time.

    It is its address, 1.13. Without it: `id`, so that a trace has such an object as a constant.
    """
    return hash(value)


def state_of_cpp_object(value: Any) -> Any:
    """Return the state of a C++ object, by its `__getstate__`, 1.13. Without it: its `unpack`."""
    return value.__getstate__()[0]


def cpp_class(name: str) -> Any:
    """Return the Python object of a C++ class, by its qualified name.

    Raises `RuntimeError` where no library has registered it.
    """
    namespace, _, last = name.removeprefix("__torch__.torch.classes.").rpartition(".")
    return torch._C._get_custom_class_python_wrapper(namespace, last)


def make_anew(value: Any, *arguments: Any) -> None:
    """Call the `__init__` of a C++ object that is there, 1.13: it is another one in its place."""
    value._get_method("__init__")(*arguments)


def name_of_class(value: Any) -> str:
    """Return the qualified name of `torch.classes.namespace.Name`; empty where it is not told.

    Such an object does not say its name, but the error of a call with an argument that no
    constructor has does: it has the declaration, whose first argument is of the class.
    """
    found = _QUALIFIED.search(_fault_of_call(value))
    return found[0] if found else ""


def schema_of_static_method(value: Any) -> Any:
    """Return the schema of a static method; None where it is not told.

    The error of a call that fits no method tells it, as for the name of a class.
    """
    found = _DECLARATION.search(_fault_of_call(value))
    return torch._C.parse_schema(found[1]) if found else None


def _fault_of_call(value: Any) -> str:
    """Return the error of a call with an argument that nothing takes: nothing is run."""
    try:
        value(no_argument_has_this_name=None)
    except (RuntimeError, TypeError) as why:
        return str(why)
    return ""
