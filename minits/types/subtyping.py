"""Subtyping, unification of types, and binding of type variables.

Source: aten/src/ATen/core/type.cpp (`isSubtypeOf`, `unifyTypes`, `matchTypeVariables`) and
union_type.cpp.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minits.types import types as t
from minits.types.type_parts import contained_types, distinct_parts
from minits.types.types import Type

_NUMBERS = (t.INT, t.FLOAT, t.COMPLEX)


def optional_of(element: Type) -> Type:
    """Return `Optional[element]`, or `element` where it names None already.

    `Optional[Any]` is a type of its own: a test for None of an `Any` is decided while compiling.
    """
    if element == t.NONE or isinstance(element, t.OptionalType):
        return element
    return t.OptionalType(element)


def unwrap_optional(type: Type) -> Type:
    return type.element if isinstance(type, t.OptionalType) else type


def union_of(members: Iterable[Type]) -> Type:
    """Return the canonical union: flat, and without members that are subtypes of others.

    `Union[T, None]` is `Optional[T]`.
    """
    kept = union_order(members)
    if len(kept) == 1:
        return kept[0]
    if len(kept) == 2 and t.NONE in kept:
        return t.OptionalType(kept[0] if kept[1] == t.NONE else kept[1])
    return t.UnionType(tuple(kept))


def union_order(members: Iterable[Type]) -> list[Type]:
    """Return the types in a union's order, without those that are subtypes of others."""
    flat: list[Type] = []
    for member in members:
        flat.extend(union_members(member))
    kept: list[Type] = []
    for member in flat:
        if any(_is_covered(member, other) for other in kept):
            continue
        kept = [other for other in kept if not _is_covered(other, member)]
        kept.append(member)
    return sorted(kept, key=_union_order)


def _is_covered(member: Type, other: Type) -> bool:
    return is_subtype(member, other) and (member, other) != (t.NONE, t.ANY)


_KIND_ORDER = (
    t.ANY, t.EnumType, t.ANY_ENUM, t.TENSOR, t.STORAGE, t.TupleType, t.ListType, t.DictType,
    t.NUMBER, t.FLOAT, t.COMPLEX, t.FutureType, t.AwaitType, t.RRefType, t.INT, t.NONE, t.STR,
    t.GENERATOR, t.QUANTIZER, t.BOOL, t.OptionalType, t.VarType, t.DEVICE, t.STREAM, t.FunctionType,
    t.ClassType,
)  # fmt: skip


def _union_order(type: Type) -> tuple[int, str]:
    """torch orders the members of a union by kind, then by text."""
    kind = type if isinstance(type, t.SimpleType) else type.__class__
    position = _KIND_ORDER.index(kind) if kind in _KIND_ORDER else len(_KIND_ORDER)
    return position, t.plain_text(type)


def union_members(type: Type) -> tuple[Type, ...]:
    """Return the alternatives of a type: the members of a union or Optional, else `type` itself."""
    if isinstance(type, t.UnionType):
        return type.members
    if isinstance(type, t.OptionalType):
        return (*union_members(type.element), t.NONE)
    return (type,)


def may_be_refined(type: Type) -> bool:
    """Return whether a test may prove that a value of the type is of a narrower one."""
    return type in (t.ANY, t.NUMBER) or len(union_members(type)) > 1


def is_subtype(sub: Type, base: Type) -> bool:
    """Return whether values of type `sub` are also values of type `base`."""
    if base == t.ANY or sub == base:
        return True
    if isinstance(sub, (t.OptionalType, t.UnionType)):
        return all(is_subtype(member, base) for member in union_members(sub))
    if isinstance(base, t.OptionalType):
        return sub == t.NONE or is_subtype(sub, base.element)
    if isinstance(base, t.UnionType):
        return any(is_subtype(sub, member) for member in base.members)
    return _is_subtype_by_kind(sub, base)


def _is_subtype_by_kind(sub: Type, base: Type) -> bool:
    if base == t.NUMBER:
        return sub in _NUMBERS
    match sub:
        case t.ListType():
            return base == t.ANY_LIST
        case t.TupleType():
            return base == t.ANY_TUPLE or (
                isinstance(base, t.TupleType) and _tuple_covers(sub, base)
            )
        case t.FutureType():
            return isinstance(base, t.FutureType) and is_subtype(sub.element, base.element)
        case t.AwaitType():
            return isinstance(base, t.AwaitType) and is_subtype(sub.element, base.element)
        case t.EnumType():
            return base == t.ANY_ENUM
        case t.ClassType():
            return base == t.ANY_CLASS or (isinstance(base, t.ClassType) and _implements(sub, base))
    return False


def _tuple_covers(sub: t.TupleType, base: t.TupleType) -> bool:
    """Return whether a tuple type is a subtype of another: a NamedTuple is one of a tuple."""
    if base.name is not None and (sub.name is None or sub.fields != base.fields):
        return False
    if len(sub.elements) != len(base.elements):
        return False
    return all(map(is_subtype, sub.elements, base.elements))


def _implements(sub: t.ClassType, base: t.ClassType) -> bool:
    return base.is_interface and what_is_missing(sub, base) is None


def what_is_missing(cls: t.ClassType, interface: t.ClassType) -> str | None:
    """Return the reason why a class does not implement an interface, or None if it does.

    It must have every method of the interface, with a schema that `covers` the declared one.
    """
    if interface.is_module and not cls.is_module:
        return "only ScriptModule class can be subtype of module interface, and this one is none"
    for wanted in interface.methods.values():
        method = cls.methods.get(wanted.name)
        if method is None:
            return f"it does not have method '{wanted.name}'"
        if not covers(method.schema, wanted.schema):
            return f"it has {method.schema}, where the interface promises {wanted.schema}"
    return None


def covers(mine: Any, wanted: Any) -> bool:
    """Return whether a method with the schema `mine` can be used where `wanted` is declared."""
    if len(mine.arguments) != len(wanted.arguments):
        return False
    pairs = zip(mine.arguments[1:], wanted.arguments[1:], strict=True)
    if not all(a.name == b.name and is_subtype(b.type, a.type) for a, b in pairs):
        return False
    return all(map(lambda a, b: is_subtype(a.type, b.type), mine.returns, wanted.returns))


def unify(first: Type, second: Type, default_to_union: bool = False) -> Type | None:
    """Return a common supertype of both types, or None where torch has none."""
    unified = _unify(first, second, default_to_union)
    if unified is None and default_to_union:
        return union_of((first, second))
    return unified


def _unify(first: Type, second: Type, default_to_union: bool) -> Type | None:
    if is_subtype(first, second):
        return second
    if is_subtype(second, first):
        return first
    if first == t.NONE:
        return optional_of(second)
    if second == t.NONE:
        return optional_of(first)
    if isinstance(first, t.OptionalType):
        element = unify(first.element, second)
        return None if element is None else optional_of(element)
    if isinstance(second, t.OptionalType):
        element = unify(second.element, first)
        return None if element is None else optional_of(element)
    if isinstance(first, t.TupleType) and isinstance(second, t.TupleType):
        return _unify_tuples(first, second, default_to_union)
    if isinstance(first, t.FutureType) and isinstance(second, t.FutureType):
        element = unify(first.element, second.element)
        return None if element is None else t.FutureType(element)
    return None


def _unify_tuples(first: t.TupleType, second: t.TupleType, default_to_union: bool) -> Type | None:
    if len(first.elements) != len(second.elements):
        return None
    elements: list[Type] = []
    for a, b in zip(first.elements, second.elements, strict=True):
        element = unify(a, b, default_to_union)
        if element is None:
            return None
        elements.append(element)
    return t.TupleType(tuple(elements))


def unify_all(types: Iterable[Type], default_to_union: bool = False) -> Type | None:
    """Return a common supertype of all types, or None; `types` must not be empty."""
    unified: Type | None = None
    for type in types:
        unified = type if unified is None else unify(unified, type, default_to_union)
        if unified is None:
            return None
    return unified


def has_variables(type: Type) -> bool:
    if isinstance(type, t.SimpleType):
        return False
    return isinstance(type, t.VarType) or any(map(has_variables, distinct_parts(type)))


def match_variables(formal: Type, actual: Type, env: dict[str, Type]) -> str | None:
    """Bind the variables of `formal` so that it becomes `actual`; return why it cannot, or None."""
    if not has_variables(formal):
        return None
    if isinstance(formal, t.VarType):
        bound = env.setdefault(formal.name, actual)
        if unify(bound, actual) is None:
            return (
                f"Type variable '{formal.name}' previously matched to type {bound.annotation} is "
                f"matched to type {actual.annotation}"
            )
        return None
    if isinstance(formal, t.OptionalType):
        if isinstance(actual, t.OptionalType):
            return match_variables(formal.element, actual.element, env)
        return None if actual == t.NONE else match_variables(formal.element, actual, env)
    if isinstance(formal, t.ListType) and isinstance(actual, t.TupleType):
        element = unify_all(actual.elements)
        if element is not None:
            return match_variables(formal.element, element, env)
    if type(formal) is not type(actual):
        return f"Cannot match {formal.annotation} to {actual.annotation}"
    inner = contained_types(formal), contained_types(actual)
    if len(inner[0]) != len(inner[1]):
        return "Cannot match tuples of mismatched size"
    for part, other in zip(*inner, strict=True):
        reason = match_variables(part, other, env)
        if reason is not None:
            return reason
    return None


def evaluate_variables(type: Type, env: dict[str, Type]) -> Type | None:
    """Return `type` with its variables replaced, or None where one is unbound."""
    if not has_variables(type):
        return type
    if isinstance(type, t.VarType):
        return env.get(type.name)
    parts = [evaluate_variables(part, env) for part in contained_types(type)]
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    match type:
        case t.ListType():
            return t.ListType(known[0])
        case t.OptionalType():
            return optional_of(known[0])
        case t.FutureType():
            return t.FutureType(known[0])
        case t.AwaitType():
            return t.AwaitType(known[0])
        case t.RRefType():
            return t.RRefType(known[0])
        case t.DictType():
            return t.DictType(known[0], known[1])
        case t.TupleType():
            return t.TupleType(tuple(known), type.name, type.fields)
    return None
