"""Calls of `tuple`, `list` and `dict`.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitApplySpecialForm`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.diagnostics import error
from minits.frontend import containers
from minits.frontend.argument_count import check_count
from minits.frontend.builtin_calls import emit_builtin_call
from minits.frontend.builtins import make_tuple
from minits.frontend.matching import make_list
from minits.frontend.ranges import origin
from minits.frontend.simple_value import SimpleValue
from minits.frontend.sugared_value import SugaredValue, as_simple
from minits.ir.constants import insert_constant
from minits.ir.graph import Value
from minits.syntax import tree
from minits.types import types as t
from minits.types.subtyping import contained_types, is_subtype, union_members
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.emitter import Emitter


def emit_tuple(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """`tuple(x)`: the items of what has a known number of them."""
    check_count(call, "tuple", 1)
    where = origin(call)
    items = emitter.emit_sugared(call.args[0], 1).as_tuple(where, emitter)
    return SimpleValue(make_tuple(emitter, [item.as_value(where, emitter) for item in items]))


def emit_list(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """`list(x)`: a copy of a list, the characters of a string, else a comprehension."""
    graph, where = emitter.graph, origin(call)
    if not call.args:
        hint = containers.found_type(emitter, call, hint)
        type = hint if hint is not None else t.ListType(t.TENSOR)
        if not isinstance(type, t.ListType):
            raise error(
                where, "TS208", f"Expected list type annotation for list(), found {type.annotation}"
            )
        return SimpleValue(make_list(graph, type.element, []))
    check_count(call, "list", 1)
    iterated = emitter.emit_sugared(call.args[0], 1)
    simple = as_simple(iterated)
    if simple is not None and (isinstance(simple.type, t.ListType) or simple.type == t.STR):
        return SimpleValue(emit_builtin_call(graph, where, "aten::list", [simple]))
    iter_name = emitter.temporary("$_iter")
    emitter.frame.set(where, iter_name, iterated)
    element = tree.Name(where, emitter.temporary("$_elem"))
    generator = tree.comprehension(where, element, tree.Name(where, iter_name), (), 0)
    comprehension = tree.ListComp(where, element, (generator,))
    return SimpleValue(containers.emit_list_comprehension(emitter, comprehension, hint))


def emit_dict(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """`dict(x, k=v)`: a copy of a dict, or entries from pairs and keywords.

    Where an Optional or a Union is expected, torch makes the entries of a display pairs. It ignores
    arguments after the first, unless that is iterated over.
    """
    graph, where = emitter.graph, origin(call)
    hint = containers.found_type(emitter, call, hint)
    expected = _only_dict(hint)
    argument = call.args[0] if call.args else None
    if expected != hint and isinstance(argument, tree.DictComp):
        made = containers.emit_dict_comprehension(emitter, argument, expected)
        return SimpleValue(_add_keywords(emitter, call, made))
    pairs = None
    if isinstance(argument, tree.List) or (expected != hint and isinstance(argument, tree.Dict)):
        pairs = _entries(argument)
    elif argument is not None:
        iterated = emitter.emit_sugared(argument, 1, hint)
        simple = as_simple(iterated)
        if simple is not None and isinstance(simple.type, t.DictType):
            made = emit_builtin_call(graph, where, "aten::dict", [simple])
        else:
            _check_dict_count(call)
            made = _dict_of_pairs(emitter, call, iterated, expected)
        return SimpleValue(_add_keywords(emitter, call, made))
    if not pairs and not call.keywords:
        return SimpleValue(containers.emit_dict(emitter, tree.Dict(where, (), ()), expected))
    if isinstance(argument, tree.List):
        _check_dict_count(call)
    entries = pairs or []
    for keyword in call.keywords:
        key = tree.Constant(where, keyword.arg, None)
        entries.append(tree.Tuple(where, (key, keyword.value)))
    items = emitter.emit_sugared(tree.List(where, tuple(entries)), 1)
    return SimpleValue(_dict_of_pairs(emitter, call, items, expected))


def _check_dict_count(call: tree.Call) -> None:
    if len(call.args) > 1:
        raise error(origin(call), "TS405", "dict takes at most one positional argument")


def _only_dict(hint: Type | None) -> Type | None:
    """The dict type among those that an Optional or a Union may be, if there is one."""
    if not isinstance(hint, (t.OptionalType, t.UnionType)):
        return hint
    dicts = [member for member in union_members(hint) if isinstance(member, t.DictType)]
    return dicts[0] if len(dicts) == 1 else hint


def _entries(node: tree.Dict | tree.List) -> list[tree.expr]:
    if isinstance(node, tree.List):
        return list(node.elts)
    return [
        tree.Tuple(node.range, (key, value))
        for key, value in zip(node.keys, node.values, strict=True)
        if key is not None
    ]


def _dict_of_pairs(
    emitter: Emitter, call: tree.Call, pairs: SugaredValue, hint: Type | None
) -> Value:
    where = origin(call)
    iter_name = emitter.temporary("$_iter")
    key = tree.Name(where, emitter.temporary("$_key"))
    value = tree.Name(where, emitter.temporary("$_value"))
    emitter.frame.set(where, iter_name, pairs)
    target = tree.Tuple(where, (key, value))
    generator = tree.comprehension(where, target, tree.Name(where, iter_name), (), 0)
    comprehension = tree.DictComp(where, key, value, (generator,))
    return containers.emit_dict_comprehension(emitter, comprehension, hint)


def _add_keywords(emitter: Emitter, call: tree.Call, made: Value) -> Value:
    for keyword in call.keywords:
        where = origin(keyword.value)
        key = insert_constant(emitter.graph, keyword.arg, range=where)
        value = emitter.emit_expression(keyword.value)
        key_type, value_type = contained_types(made.type)
        if key_type != t.STR or not is_subtype(value.type, value_type):
            raise error(where, "TS209", f"this entry does not fit into {made.type.annotation}")
        emit_builtin_call(emitter.graph, where, "aten::_set_item", [made, key, value])
    return made
