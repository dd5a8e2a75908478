"""Assignments to attributes of values: `x.name = value`, and the declarations of `__init__`.

    class Counter:                          # a script class
        def __init__(self, n: int) -> None:
            self.n = n                      # declares `n : int`, then prim::SetAttr[name="n"]

Source: torch/csrc/jit/frontend/sugared_value.cpp (`SimpleValue::setAttr`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.diagnostics import error
from minits.edits import Edit
from minits.frontend.calls import hints
from minits.frontend.calls.schema_matching import NamedValue
from minits.frontend.values.error_value import ErrorValueUsed
from minits.frontend.values.simple_value import MethodValue
from minits.ir.graph import Value
from minits.ops.native_methods import declare_bound_methods
from minits.source import SourceRange
from minits.types import types as t
from minits.types.subtyping import is_subtype
from minits.types.type_parts import contained_types
from minits.types.types import Type
from minits.users_objects import is_frozen

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter


def assign_attribute(
    object: Value, loc: SourceRange, emitter: Emitter, name: str, value: Value
) -> None:
    """Emit a `prim::SetAttr`; in `__init__` the first one of a name declares the attribute.

    Raises `CompileError` (TS304, TS601) for a value of no class, and for one of another type.
    """
    type = object.type
    if not isinstance(type, t.ClassType):
        raise error(
            loc,
            "TS304",
            f"Tried to set an attribute: {name} on a non-class: {type.annotation}",
            fix="assign to an attribute of a module or of an object of a script class",
        )
    declare_bound_methods(type)
    if is_frozen(type.cls) and not emitter.function.is_initializer:
        raise error(
            loc,
            "TS602",
            f"Tried to set read-only attribute: {name} of {type.short_name}, a frozen dataclass",
            fix=f"make another object: {type.short_name}(...)",
        )
    if name not in type.attributes:
        if name in type.properties:
            _set_property(object, loc, emitter, type, name, value)
            return
        _declare(loc, emitter, type, name, value)
    expected = type.attributes[name].type
    if not is_subtype(value.type, expected):
        raise error(
            loc,
            "TS601",
            f"Wrong type for attribute assignment. Expected {expected.annotation} but got "
            f"{value.type.annotation} for '{name}'",
            fix=hints.for_assignment(name, expected, value.type),
            edit=_annotated(type, name, value.type) if expected == t.NONE else None,
        )
    emitter.graph.emit("prim::SetAttr", [object, value], []).set_attr("name", "s", name)


def _annotated(type: t.ClassType, name: str, held: t.Type) -> Edit | None:
    from minits.frontend.cures.class_annotations import annotating

    return annotating(type.cls, name, t.OptionalType(held).annotation)


def _set_property(
    object: Value, loc: SourceRange, emitter: Emitter, type: t.ClassType, name: str, value: Value
) -> None:
    setter = type.properties[name][1]
    if setter is None:
        raise error(
            loc,
            "TS602",
            f"Tried to set read-only attribute: {name}, a property without a setter",
            fix="register a setter with the property, in C++: def_property(name, getter, setter)"
            if type.is_bound
            else f"give the property a setter: @{name}.setter",
        )
    MethodValue(object, (setter,)).call(loc, emitter, [NamedValue(value)], [])


def _declare(
    loc: SourceRange, emitter: Emitter, type: t.ClassType, name: str, value: Value
) -> None:
    """Give a script class an attribute that its `__init__` assigns. Raises `CompileError`."""
    graph = emitter.graph
    if not emitter.initializes(type):
        raise error(
            loc,
            "TS603",
            f"Tried to set nonexistent attribute: {name}, which {type.short_name} lacks",
            fix="an object of C++ has the properties that its library registers, and no others"
            if type.is_bound
            else f"assign self.{name} in __init__",
        )
    if _mentions(value.type, type):
        raise error(
            loc,
            "TS604",
            f"Assignment to attribute '{name}' cannot be of a type that contains its own class",
            fix="keep what identifies the other object, such as its index in a list",
        )
    if graph.insert_point.block is not graph.block:
        if name in emitter.lost_attributes:
            raise ErrorValueUsed
        raise error(
            loc,
            "TS605",
            f"First assignment cannot be in a control-flow block: '{name}' has no type before",
            fix="assign it at the top level of __init__ first",
        )
    type.attributes[name] = t.Attribute(name, value.type)
    emitter.declared.append(name)


def _mentions(type: Type, wanted: Type) -> bool:
    return is_subtype(type, wanted) or any(
        _mentions(part, wanted) for part in contained_types(type)
    )
