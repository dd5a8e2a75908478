"""The parts of types, and what is known of those of a tuple: computed once for each object.

    a1 = (x, x)       3 parts
    a2 = (a1, a1)     7 parts, a3 of two a2 has 15, a60 more than can be counted

A few lines of code, or a tuple that a pickle names twice in the next one, make a type of any number
of parts. What walks over all of them takes twice the time with each line, so that functions of
types ask for the distinct parts: those of a60 are one.
"""

from __future__ import annotations

from minits.types import types as t
from minits.types.types import Type


def contained_types(type: Type) -> tuple[Type, ...]:
    """Return the types that `type` is made of."""
    match type:
        case t.ListType() | t.OptionalType() | t.FutureType() | t.AwaitType() | t.RRefType():
            return (type.element,)
        case t.DictType():
            return (type.key, type.value)
        case t.TupleType():
            return type.elements
        case t.UnionType():
            return type.members
    return ()


def may_hold_tensors(type: Type) -> bool:
    """Return whether a value of a type may be a tensor, or an object that keeps one alive."""
    match type:
        case t.SimpleType():
            return type in _HOLDING
        case t.ClassType():
            return not type.is_module
        case t.EnumType() | t.FunctionType():
            return False
    return any(map(may_hold_tensors, distinct_parts(type)))


_HOLDING = frozenset((t.TENSOR, t.ANY, t.ANY_LIST, t.ANY_TUPLE, t.PY_OBJECT, t.STORAGE, t.CAPSULE))


def count_parts(type: Type) -> int:
    """Return the number of parts of a type, itself included; a class or an enum is one."""
    if isinstance(type, (t.TupleType, t.UnionType)):
        if type.parts is None:
            object.__setattr__(type, "parts", 1 + sum(map(count_parts, contained_types(type))))
            assert type.parts is not None
        return type.parts
    return 1 + sum(map(count_parts, contained_types(type)))


def distinct_parts(type: Type) -> tuple[Type, ...]:
    """Return the types that `type` is made of, each once; those of a tuple are no tuples."""
    if not isinstance(type, t.TupleType):
        return contained_types(type)
    if type.leaves is None:
        found: dict[Type, None] = {}
        for element in type.elements:
            parts = distinct_parts(element) if isinstance(element, t.TupleType) else (element,)
            found |= dict.fromkeys(parts)
        object.__setattr__(type, "leaves", tuple(found))
        assert type.leaves is not None
    return type.leaves
