"""Values other than plain tensors: futures, objects of C++ classes, quantized tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import torch

FUTURE: type = torch._C.Future
"""The class of what `torch.jit.fork` gives; `torch.futures.Future` inherits from it."""

CPP_OBJECT: type = torch._C.ScriptObject
"""The class of objects of C++ classes; it is `torch.ScriptObject`."""

awaitable_nowait: Callable[[Any], Any] | None = getattr(torch._C, "_awaitable_nowait", None)
"""`torch.jit._awaitable_nowait`, 2.0; None in builds without it."""


awaitable: Callable[..., Any] = torch._C._awaitable
"""The function beneath `torch.jit._awaitable`, 2.0: a call that is made when it is waited for."""


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


empty_quantized: Callable[..., Any] = torch._empty_affine_quantized
empty_quantized_by_channel: Callable[..., Any] = torch._empty_per_channel_affine_quantized
"""Quantized tensors whose storage is still to be set, 1.13. Without them:
`torch.quantize_per_tensor` of an empty tensor, which refuses some zero points."""


def is_remote_reference(value: Any) -> bool:
    """Return whether a value is a reference of `torch.distributed.rpc`, in builds that have it."""
    distributed = getattr(torch._C, "_distributed_rpc", None)
    return distributed is not None and isinstance(value, distributed.PyRRef)
