"""Lists and dicts: literals and comprehensions, typed by their context or their elements.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitListLiteral`, `emitDictComprehension`, ...).
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.diagnostics import CompileError, Faults, error
from minits.frontend.calls.schema_matching import NamedValue, make_list
from minits.frontend.emit.arguments import emit_arguments
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.emitter import Emitter
from minits.ir.graph import Value
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.dict_keys import check_key
from minits.types.subtyping import is_subtype, unify, unify_all
from minits.types.types import Type

_EMPTY_DICT = t.DictType(t.STR, t.TENSOR)


# ---- The type that the context expects ---------------------------------------------------------


def _candidates(node: tree.expr, hint: Type | None, kind: type, name: str) -> list[Type]:
    """Return the types of this container that the context admits; none if there is no context.

    Raises `CompileError` if the context admits other types only.
    """
    if hint is None or hint == t.ANY:
        return []
    if isinstance(hint, t.OptionalType):
        hint = hint.element
    members = hint.members if isinstance(hint, t.UnionType) else (hint,)
    found: list[Type] = [member for member in members if isinstance(member, kind)]
    if not found:
        message = f"Expected an annotation of type {name} but got {hint.annotation}"
        if isinstance(hint, t.UnionType):
            message = (
                f"Expected an Union type annotation with an inner {name} type, but got "
                f"{hint.annotation}"
            )
        raise error(origin(node), "TS208", message, fix="change the annotation or the value")
    return found


def _only(node: tree.expr, candidates: Sequence[Type], name: str) -> Type:
    """Return the type of an empty container."""
    if len(candidates) > 1:
        raise error(
            origin(node),
            "TS208",
            f"Cannot assign an empty {name.lower()} here because there are multiple possible "
            f"{name} type candidates in the Union annotation: {_listed(candidates)}",
            fix="assign it to a variable of the type that is meant first",
        )
    return candidates[0]


def _listed(types: Sequence[Type]) -> str:
    return " or ".join(type.annotation for type in types)


def _mismatch(node: tree.expr, message: str) -> CompileError:
    fix = "change the annotation, or convert the elements"
    return error(origin(node), "TS208", message, fix=fix)


def _wrong_entries(node: tree.expr, candidates: Sequence[Type], made: t.DictType) -> CompileError:
    """Return the error for a dict whose keys or values do not have the expected types."""
    expected = candidates[0]
    assert isinstance(expected, t.DictType)
    if len(candidates) > 1:
        return _mismatch(
            node,
            f"Union type annotation can hold {_listed(candidates)}, but none of those dict types "
            "can hold the types of the given keys and values, which were unified to "
            f"{made.annotation}",
        )
    what, found = ("value", made.value) if expected.key == made.key else ("key", made.key)
    if isinstance(node, tree.Dict):
        return _mismatch(
            node,
            f"Type annotation was inferred to be `{expected.annotation}`, but the type of {what}s "
            f"given by the dict literal is {found.annotation}",
        )
    return _mismatch(
        node,
        f"Dict type annotation `{expected.annotation}` did not match the type of an actual {what} "
        f"type `{found.annotation}`",
    )


def _cast_to_union(emitter: Emitter, value: Value, hint: Type | None) -> Value:
    is_union = isinstance(hint, (t.UnionType, t.OptionalType))
    return emitter.unchecked_cast(value, hint) if hint is not None and is_union else value


def found_type(emitter: Emitter, node: tree.expr, hint: Type | None) -> Type | None:
    """Return the type for an empty literal: the expected one, or the one that its uses imply."""
    if hint is not None:
        return hint
    return emitter.rules.type_of_empty(node)


# ---- Lists -------------------------------------------------------------------------------------


def emit_list(emitter: Emitter, node: tree.List, hint: Type | None) -> Value:
    """`[a, b]`; an empty one without a hint gets its type from its first use."""
    values: list[Value] = [value.value for value in emit_arguments(emitter, node.elts)]
    if not values:
        hint = found_type(emitter, node, hint)
    if not values and hint is None:
        empty = emitter.graph.emit("prim::EmptyListLiteral", [], [t.ListType(t.TENSOR)])
        return empty.output
    candidates = _candidates(node, hint, t.ListType, "List")
    if not values:
        chosen = _only(node, candidates, "List") if candidates else t.ListType(t.TENSOR)
    else:
        unified = unify_all([value.type for value in values], default_to_union=True)
        assert unified is not None
        chosen = _list_type(node, unified, candidates)
    assert isinstance(chosen, t.ListType)
    return _cast_to_union(emitter, make_list(emitter.graph, chosen.element, values), hint)


def _list_type(node: tree.expr, element: Type, candidates: Sequence[Type]) -> t.ListType:
    """Return the list type for elements of type `element`."""
    if not candidates:
        return t.ListType(element)
    fitting = [
        candidate.element
        for candidate in candidates
        if isinstance(candidate, t.ListType) and is_subtype(element, candidate.element)
    ]
    widest = unify_all(fitting) if fitting else None
    if widest is None:
        if len(candidates) > 1:
            raise _mismatch(
                node,
                f"Union type annotation can hold {_listed(candidates)}, but none of those types "
                "match the types of the given list elements, which were unified to "
                f"{element.annotation}",
            )
        raise _mismatch(
            node,
            f"List type annotation `{candidates[0].annotation}` did not match the types of the "
            f"given list elements, which were unified to {element.annotation}",
        )
    return t.ListType(widest)


def emit_list_comprehension(
    emitter: Emitter, node: tree.ListComp | tree.GeneratorExp, hint: Type | None
) -> Value:
    """`[f(x) for x in xs]` is a loop that appends."""
    loc, graph = origin(node), emitter.graph
    result = make_list(graph, t.TENSOR, [])
    candidates = _candidates(node, hint, t.ListType, "List")
    if len(candidates) == 1:
        result.type = candidates[0]
    comprehension = graph.emit("prim::ComprehensionScope", [], [], loc)
    seen: list[Type] = []

    def body() -> None:
        item = emitter.emit_expression(node.elt)
        seen.append(item.type)
        unified = unify_all(seen, default_to_union=True)
        assert unified is not None
        # a tuple's items, one after the other: the first decides
        type = _list_type(node, unified, candidates or [result.type] * (len(seen) > 1))
        # The declared type itself, where it is one: torch tells types apart by identity.
        result.type = candidates[0] if candidates == [type] else type
        if item.node.kind != "prim::CreateObject":  # its `__init__` is looked up by its type
            item.type = type.element
        itself = NamedValue(result, "self", loc)
        emit_builtin_call(graph, loc, "aten::append", [item], [], itself)

    with emitter.block_environment(comprehension.add_block()):
        emitter.visitor.generators(emitter, loc, node.generators, body)
    return result


# ---- Dicts -------------------------------------------------------------------------------------


def emit_dict(emitter: Emitter, node: tree.Dict, hint: Type | None) -> Value:
    """`{k: v}`. Raises `CompileError` with the faults of all keys and values."""
    if not node.keys:
        hint = found_type(emitter, node, hint)
    keys: list[Value] = []
    values: list[Value] = []
    faults = Faults()
    for key, value in zip(node.keys, node.values, strict=True):
        assert key is not None  # the fence has refused **
        try:
            made, held = emitter.emit_each(key, value)
        except CompileError as fault:
            faults.add(fault)
            continue
        keys.append(made)
        values.append(held)
        if type(keys[-1].type) is not type(keys[0].type) or _differ(keys[-1].type, keys[0].type):
            expected, found = keys[0].type.annotation, keys[-1].type.annotation
            message = f"Dict keys must contain only a single type: {expected}, but this is {found}"
            wrong = error(origin(key), "TS209", message, fix="convert the keys to one type")
            faults.add(wrong)
    faults.raise_all()
    if keys:
        check_key(origin(node), keys[0].type)
    candidates = _candidates(node, hint, t.DictType, "Dict")
    type_ = _dict_literal_type(node, keys, values, candidates)
    return _cast_to_union(emitter, make_dict(emitter, type_, keys, values), hint)


def _differ(first: Type, second: Type) -> bool:
    return isinstance(first, t.SimpleType) and first != second


def _dict_literal_type(
    node: tree.expr, keys: Sequence[Value], values: Sequence[Value], candidates: Sequence[Type]
) -> t.DictType:
    if not keys:
        chosen = _only(node, candidates, "Dict") if candidates else _EMPTY_DICT
        assert isinstance(chosen, t.DictType)
        return chosen
    value = unify_all([value.type for value in values], default_to_union=True)
    assert value is not None
    return _dict_type(node, keys[0].type, value, candidates)


def _dict_type(node: tree.expr, key: Type, value: Type, candidates: Sequence[Type]) -> t.DictType:
    """Return the dict type for keys and values of these types."""
    made = t.DictType(key, value)
    if not candidates:
        return made
    for candidate in candidates:
        assert isinstance(candidate, t.DictType)
        if candidate.key == key and is_subtype(value, candidate.value):
            return candidate
    raise _wrong_entries(node, candidates, made)


def make_dict(
    emitter: Emitter, type: t.DictType, keys: Sequence[Value], values: Sequence[Value]
) -> Value:
    """Emit `prim::DictConstruct`, whose inputs are keys and values in turn."""
    inputs = [item for pair in zip(keys, values, strict=True) for item in pair]
    own = t.DictType(type.key, type.value)  # an object of its own, as torch's
    return emitter.graph.emit("prim::DictConstruct", inputs, [own]).output


def emit_dict_comprehension(emitter: Emitter, node: tree.DictComp, hint: Type | None) -> Value:
    """`{k: v for x in xs}` is a loop that sets items."""
    loc, graph = origin(node), emitter.graph
    result = make_dict(emitter, _EMPTY_DICT, [], [])
    candidates = _candidates(node, hint, t.DictType, "Dict")
    if len(candidates) == 1:
        result.type = candidates[0]
    comprehension = graph.emit("prim::ComprehensionScope", [], [], loc)
    seen: list[t.DictType] = []

    def body() -> None:
        key, value = emitter.emit_each(node.key, node.value)
        if isinstance(key.type, t.UnionType) or (seen and seen[0].key != key.type):
            first = seen[0].key if seen else key.type
            message = (
                "Dicts may only contain homogeneous keys, but the type of the first generated key "
                f"was {first.annotation}"
            )
            if seen:
                message += f" and a later one is {key.type.annotation}"
            raise error(loc, "TS209", message, fix="convert the keys to one type")
        check_key(origin(node.key), key.type)
        before = seen[-1].value if seen else value.type
        unified = unify(before, value.type, default_to_union=True)
        assert unified is not None
        seen.append(t.DictType(key.type, unified))
        type = _dict_type(node, key.type, unified, candidates)
        result.type = type
        if candidates:
            key.type, value.type = type.key, type.value
        emit_builtin_call(graph, loc, "aten::_set_item", [result, key, value])

    with emitter.block_environment(comprehension.add_block()):
        emitter.visitor.generators(emitter, loc, node.generators, body)
    return _cast_to_union(emitter, result, hint)
