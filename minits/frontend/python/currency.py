"""The check that a compiled function is still current: compiled again, it would be the same.

Functions, methods and classes may be replaced, and names bound anew, between two compilations. What
a compiled function depends on is remembered with its names (`ClosureScope`), and asked again:

    def f(x):           what `helper` and `Point` mean in f's file; their code and defaults;
        helper(x)       the members of the class, and what its methods depend on in turn
        Point(x, x)
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from minits.compilation_journal import enter
from minits.compilation_state import STATE
from minits.frontend.python.compilation import only
from minits.frontend.python.scopes import ClosureScope
from minits.frontend.values.function import CompiledFunction
from minits.live_annotations import annotations_of
from minits.name_mangling import demangled
from minits.types import types as t

Asked = set[CompiledFunction | type]
"""Functions and classes that need not be checked (again)."""


def is_current(compiled: CompiledFunction, asked: Asked | None = None) -> bool:
    """Return whether the names that a function and its callees use mean what they meant."""
    scope = compiled.scope
    if not isinstance(scope, ClosureScope):
        return True
    asked = set() if asked is None else asked
    asked.add(compiled)
    return (
        scope.is_current()
        and all(callee in asked or is_current(callee, asked) for callee in scope.called)
        and all(
            STATE.types.get(cls) is type
            and is_first_of_its_name(type)
            and (cls in asked or is_class_current(cls, asked))
            for cls, type in scope.classes.items()
        )
    )


def is_first_of_its_name(type: t.Type | None) -> bool:
    """Return whether this compilation has met no other NamedTuple of the name."""
    if not isinstance(type, t.TupleType) or type.name is None:
        return True
    return bool(only(("NamedTuple", demangled(type.name)), type) == type)


_COMPILED = (FunctionType, property, classmethod, staticmethod)


def note_class(cls: type) -> None:
    """Record the members that a class is compiled from, to detect later changes."""
    enter(STATE.members, cls, _consists_of(cls))


def is_class_current(cls: type, asked: Asked | None = None) -> bool:
    """Return whether a class has the members it was compiled from, and its methods are current."""
    asked = set() if asked is None else asked
    asked.add(cls)
    if cls in STATE.members and STATE.members[cls] != _consists_of(cls):
        return False
    type = STATE.types.get(cls)
    methods = type.methods.values() if isinstance(type, t.ClassType) else ()
    return all(
        method in asked or is_current(method, asked)
        for method in methods
        if isinstance(method, CompiledFunction)
    )


def _consists_of(cls: type) -> dict[str, Any]:
    """Return members that are compiled, annotations and defaults of fields, bases included."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__[:-1]):
        members = vars(base)
        found.update({k: v for k, v in members.items() if isinstance(v, _COMPILED)})
        annotations = annotations_of(base)
        if annotations:
            found["__annotations__"] = dict(annotations)
        if isinstance(members.get("_field_defaults"), dict):
            found["_field_defaults"] = dict(members["_field_defaults"])
    return found
