"""Calls of `tuple`, `list` and `dict`.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitApplySpecialForm`).
"""

from __future__ import annotations

from contextlib import suppress

from minits.diagnostics import CompileError, Faults, error
from minits.frontend.calls.schema_matching import make_list
from minits.frontend.emit import containers
from minits.frontend.values.argument_count import check_count
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.builtins import make_tuple
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.simple_value import SimpleValue, as_simple
from minits.frontend.values.sugared_value import SugaredValue
from minits.frontend.values.when_failed import with_arguments
from minits.ir.constants import insert_constant
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.subtyping import is_subtype, union_members
from minits.types.type_parts import contained_types
from minits.types.types import Type


def emit_tuple(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """Emit `tuple(x)` for an `x` with a statically known number of items."""
    check_count(emitter, call, "tuple", 1)
    loc = origin(call)
    items = emitter.emit_sugared(call.args[0], 1).as_tuple(loc, emitter)
    return SimpleValue(make_tuple(emitter, [item.as_value(loc, emitter) for item in items]))


def emit_list(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """`list(x)`: a copy of a list, the characters of a string, else a comprehension.

    Raises `CompileError`.
    """
    graph, loc = emitter.graph, origin(call)
    if not call.args:
        hint = containers.found_type(emitter, call, hint)
        type = hint if hint is not None else t.ListType(t.TENSOR)
        if not isinstance(type, t.ListType):
            message = f"Expected list type annotation for list(), found {type.annotation}"
            raise error(loc, "TS208", message, fix="change the annotation or the value")
        return SimpleValue(make_list(graph, type.element, []))
    check_count(emitter, call, "list", 1)
    iterated = emitter.emit_sugared(call.args[0], 1)
    simple = as_simple(iterated)
    if simple is not None and (isinstance(simple.type, t.ListType) or simple.type == t.STR):
        return SimpleValue(emit_builtin_call(graph, loc, "aten::list", [simple]))
    iter_name = emitter.temporary("$_iter")
    emitter.environment.set(loc, iter_name, iterated)
    element = tree.Name(loc, emitter.temporary("$_elem"))
    generator = tree.comprehension(loc, element, tree.Name(loc, iter_name), (), 0)
    comprehension = tree.ListComp(loc, element, (generator,))
    return SimpleValue(containers.emit_list_comprehension(emitter, comprehension, hint))


def emit_dict(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """Emit `dict(x, k=v)`: a copy of a dict, or entries from pairs and keywords.

    As in torch, the argument is emitted once to learn whether it is a dict, and again if it is not;
    the dead copy is removed, but has used up value numbers. Arguments after the first are ignored,
    unless that is iterated over. Raises `CompileError`.
    """
    graph, loc = emitter.graph, origin(call)
    hint = containers.found_type(emitter, call, hint)
    try:
        expected = _only_dict(loc, hint)
    except CompileError as fault:
        raise with_arguments(emitter, fault, call) from None
    argument = call.args[0] if call.args else None
    if argument is not None:
        rest = tree.replaced(call, args=call.args[1:])
        try:
            simple = as_simple(_emit_expecting(emitter, argument, hint))
        except CompileError as fault:
            raise with_arguments(emitter, fault, rest) from None
        if simple is not None and isinstance(simple.type, t.DictType):
            made = emit_builtin_call(graph, loc, "aten::dict", [simple])
            return _dict_value(emitter, _add_keywords(emitter, call, made), hint)
    if _has_no_entries(argument):
        argument = None
    if argument is None and not call.keywords:
        return SimpleValue(containers.emit_dict(emitter, tree.Dict(loc, (), ()), expected))
    if isinstance(argument, tree.DictComp):
        made = containers.emit_dict_comprehension(emitter, argument, expected)
        return SimpleValue(_add_keywords(emitter, call, made))
    if isinstance(argument, tree.Dict):
        argument = tree.List(loc, tuple(_pairs(argument)))
    keywords = call.keywords
    if keywords and (argument is None or isinstance(argument, tree.List)):
        entries = argument.elts if argument is not None else ()
        argument, keywords = tree.List(loc, (*entries, *_keyword_pairs(call))), ()
    if len(call.args) > 1 and argument is call.args[0]:
        message = "dict takes at most one positional argument"
        wrong = error(loc, "TS405", message, fix="add further entries in the lines after it")
        raise with_arguments(emitter, wrong, call)
    if keywords:
        message = "dict takes no keyword arguments beside what is iterated over"
        wrong = error(loc, "TS405", message, fix="set these entries in the lines after it")
        raise with_arguments(emitter, wrong, call)
    assert argument is not None
    pairs = emitter.emit_sugared(argument, 1)
    return _dict_value(emitter, _dict_of_pairs(emitter, call, pairs, expected), hint)


def _emit_expecting(emitter: Emitter, node: tree.expr, hint: Type | None) -> SugaredValue:
    """Emit an expression, which may also be of another type than the one that is expected."""
    if hint is not None:
        with suppress(CompileError):
            return emitter.emit_sugared(node, 1, hint)
    return emitter.emit_sugared(node, 1)


def _dict_value(emitter: Emitter, made: Value, hint: Type | None) -> SugaredValue:
    """Return the new dict with its own type. Where a Union is expected, torch casts it in vain."""
    if isinstance(hint, (t.OptionalType, t.UnionType)):
        emitter.unchecked_cast(made, hint)
    return SimpleValue(made)


def _has_no_entries(node: tree.expr | None) -> bool:
    match node:
        case None:
            return True
        case tree.Dict(keys=entries) | tree.List(elts=entries):
            return not entries
    return False


def _only_dict(loc: SourceRange, hint: Type | None) -> Type | None:
    """Return the dict type among the members of an Optional or Union; None if there is none.

    Of several torch takes none, since it types the entries only after it has chosen.
    """
    if not isinstance(hint, (t.OptionalType, t.UnionType)):
        return hint
    dicts = [member for member in union_members(hint) if isinstance(member, t.DictType)]
    if len(dicts) > 1:
        message = (
            "There are multiple candidate Dict types in the Union type annotation "
            f"`{hint.annotation}`, and full type inference is not yet supported for dict()"
        )
        raise error(loc, "TS208", message, fix="write a dict literal, or a dict comprehension")
    return dicts[0] if dicts else hint


def _pairs(node: tree.Dict) -> list[tree.expr]:
    return [
        tree.Tuple(node.range, (key, value))
        for key, value in zip(node.keys, node.values, strict=True)
        if key is not None
    ]


def _keyword_pairs(call: tree.Call) -> list[tree.expr]:
    loc = origin(call)
    return [
        tree.Tuple(loc, (tree.Constant(loc, keyword.arg, None), keyword.value))
        for keyword in call.keywords
    ]


def _dict_of_pairs(
    emitter: Emitter, call: tree.Call, pairs: SugaredValue, hint: Type | None
) -> Value:
    loc = origin(call)
    iter_name = emitter.temporary("$_iter")
    key = tree.Name(loc, emitter.temporary("$_key"))
    value = tree.Name(loc, emitter.temporary("$_value"))
    emitter.environment.set(loc, iter_name, pairs)
    target = tree.Tuple(loc, (key, value))
    generator = tree.comprehension(loc, target, tree.Name(loc, iter_name), (), 0)
    comprehension = tree.DictComp(loc, key, value, (generator,))
    return containers.emit_dict_comprehension(emitter, comprehension, hint)


def _add_keywords(emitter: Emitter, call: tree.Call, made: Value) -> Value:
    faults = Faults()
    for keyword in call.keywords:
        with faults.gathered():
            _add_keyword(emitter, keyword, made)
    faults.raise_all()
    return made


def _add_keyword(emitter: Emitter, keyword: tree.keyword, made: Value) -> None:
    loc = origin(keyword.value)
    key = insert_constant(emitter.graph, keyword.arg, loc=loc)
    value = emitter.emit_expression(keyword.value)
    key_type, value_type = contained_types(made.type)
    if key_type != t.STR or not is_subtype(value.type, value_type):
        message = f"this entry does not fit into {made.type.annotation}"
        raise error(loc, "TS209", message, fix="convert the value, or annotate the dict")
    emit_builtin_call(emitter.graph, loc, "aten::_set_item", [made, key, value])
