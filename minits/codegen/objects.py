"""Objects in generated code: their class, and the methods that only their class knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits.bounded_cache import BoundedCache
from minits.compilation_state import known_class
from minits.frontend.python.class_registry import class_types
from minits.types import types as t

MOST_CLASSES = 64
"""Classes whose methods a call through an interface keeps."""


def type_of_object(value: Any) -> t.ClassType:
    """Return the class of an object of a script class or of a module."""
    type = known_class(value) or class_types(value.__class__)
    assert isinstance(type, t.ClassType)
    return type


def interface_method(name: str, compile: Callable[[Any], Callable[..., Any]]) -> Callable[..., Any]:
    """Return a function that calls the method `name` of the class of its first argument."""
    methods: BoundedCache[t.ClassType, Callable[..., Any]] = BoundedCache(MOST_CLASSES)

    def call(itself: Any, *arguments: Any) -> Any:
        type = type_of_object(itself)
        method = methods.get(type)
        if method is None:
            method = methods.put(type, compile(type.methods[name]))
        return method(itself, *arguments)

    return call
