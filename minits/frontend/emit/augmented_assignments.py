"""Augmented assignments, `x += y`: in place on tensors and lists, else of `x + y`.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitAugAssignment`, ...).
"""

from __future__ import annotations

from minits.diagnostics import CompileError, error, not_supported
from minits.frontend.calls.schema_matching import NamedValue, make_list
from minits.frontend.emit import subscripts
from minits.frontend.emit.assignments import cannot_assign, emit_container
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.simple_value import MethodValue
from minits.frontend.values.when_failed import with_parts
from minits.ir.graph import Value
from minits.ops.native_methods import methods_of
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.types import Type

_IN_PLACE = {
    "+": "aten::add_", "-": "aten::sub_", "/": "aten::div_", "*": "aten::mul_",
    "%": "aten::fmod_", "|": "aten::bitwise_or", "&": "aten::bitwise_and",
    "^": "aten::bitwise_xor", "<<": "aten::__ilshift__", ">>": "aten::__irshift__",
    "**": "aten::pow",
}  # fmt: skip
_OUT_OF_PLACE = {
    "+": "aten::add", "-": "aten::sub", "/": "aten::div", "*": "aten::mul", "%": "aten::fmod",
    "|": "aten::__or__", "&": "aten::__and__", "^": "aten::__xor__", "<<": "aten::__lshift__",
    ">>": "aten::__rshift__", "**": "aten::pow",
}  # fmt: skip
_MAGIC = {"+": "add", "-": "sub", "/": "truediv", "*": "mul", "%": "mod"}


def _operator(statement: tree.AugAssign, type: Type) -> str:
    """Return the operator of `+=` or the like: in place on tensors and lists, else a new value.

    Raises `CompileError` if the type has none.
    """
    table = _IN_PLACE if type == t.TENSOR or isinstance(type, t.ListType) else _OUT_OF_PLACE
    if statement.op not in table:
        op = statement.op
        raise not_supported(
            origin(statement),
            "TS196",
            f"unsupported kind of augmented assignment: {op}=",
            fix=f"write x = x {op} y",
        )
    return table[statement.op]


def emit_augmented(emitter: Emitter, statement: tree.AugAssign) -> None:
    """Emit `x += y`: in place on tensors and lists, else an assignment of `x + y`.

    Raises `CompileError` (TS313) where `x` is no variable, attribute or item.
    """
    target, loc = statement.target, origin(statement)
    match target:
        case tree.Name(id=name):
            try:
                old = emitter.emit_expression(target)
            except CompileError as fault:
                raise with_parts(emitter, fault, statement.value) from None
            new = _augment(emitter, statement, old)
            emitter.environment.set_value(origin(target), name, new)
        case tree.Attribute(value=base, attr=name):
            try:
                holder = emitter.emit_sugared(base, 1)
                at = origin(target)
                kept = emitter.rules.read(emitter, target)
                old = (kept or holder.attr(at, emitter, name)).as_value(at, emitter)
            except CompileError as fault:
                raise with_parts(emitter, fault, statement.value) from None
            new = _augment(emitter, statement, old)
            holder.set_attr(loc, emitter, name, new)
            emitter.rules.place_assigned(emitter, target, new)
        case tree.Subscript():
            _augment_item(emitter, statement, target)
        case _:
            raise with_parts(emitter, cannot_assign(target), statement.value)


def _augment(emitter: Emitter, statement: tree.AugAssign, old: Value) -> Value:
    loc = origin(statement)
    if isinstance(old.type, t.ClassType):
        return _augment_object(emitter, statement, old, old.type)
    right = emitter.emit_expression(statement.value)
    if isinstance(right.type, t.ListType):
        emitter.rules.expects(emitter, statement.target, right.type)
    operator = _operator(statement, old.type)
    return emit_builtin_call(emitter.graph, loc, operator, [old, right])


def _augment_object(
    emitter: Emitter, statement: tree.AugAssign, old: Value, type: t.ClassType
) -> Value:
    loc = origin(statement)
    base = _MAGIC.get(statement.op)
    if base is None:
        unsupported = not_supported(
            loc,
            "TS196",
            f"unsupported kind of augmented assignment: {statement.op}= of objects",
            fix=f"write x = x {statement.op} y",
        )
        raise with_parts(emitter, unsupported, statement.value)
    right = emitter.emit_expression(statement.value)
    for name in (f"__i{base}__", f"__{base}__"):
        if name in methods_of(type):
            method = MethodValue(old, (name,))
            result = method.call(loc, emitter, [NamedValue(right)], [], 0)
            return result.as_value(loc, emitter)
    message = f"Cannot emit inplace op on {type.name}: it has neither __i{base}__ nor __{base}__"
    raise error(loc, "TS302", message, fix=f"define __{base}__ in the class")


def _augment_item(emitter: Emitter, statement: tree.AugAssign, target: tree.Subscript) -> None:
    try:
        container, indices = emit_container(emitter, target)
    except CompileError as fault:
        raise with_parts(emitter, fault, statement.value) from None
    if container.type == t.TENSOR:
        _augment_tensor_item(emitter, statement, target, container)
        return
    loc, graph = origin(statement), emitter.graph
    match container.type:
        case t.ListType(element=type) | t.DictType(key=type):
            pass
        case other:
            fix = "assign the item: x[i] = x[i] + y"
            message = f"{other.annotation} does not support augmented assignment to its items"
            wrong = error(origin(target), "TS315", message, fix=fix)
            raise with_parts(emitter, wrong, *indices, statement.value)
    if len(indices) != 1 or isinstance(indices[0], tree.Slice):
        message = f"Sliced expression not yet supported for {container.type.annotation}, only items"
        wrong = error(origin(indices[0]), "TS315", message, fix="change the items one by one")
        raise with_parts(emitter, wrong, *indices, statement.value)
    index, value = emitter.emit_each(indices[0], statement.value)
    right = NamedValue(value, None, origin(statement.value))
    item = emit_builtin_call(graph, loc, "aten::__getitem__", [container, index])
    new = emit_builtin_call(graph, loc, _operator(statement, type), [item, right])
    emit_builtin_call(graph, loc, "aten::_set_item", [container, index, new])


def _augment_tensor_item(
    emitter: Emitter, statement: tree.AugAssign, target: tree.Subscript, tensor: Value
) -> None:
    graph, loc = emitter.graph, origin(statement)
    indices = subscripts.index_expressions(target)
    try:
        sliced, tensors = subscripts.slice_tensor(emitter, origin(target), tensor, indices)
    except CompileError as fault:
        raise with_parts(emitter, fault, statement.value) from None
    itself = NamedValue(sliced, "self", origin(target))
    right = NamedValue(emitter.emit_expression(statement.value), None, origin(statement.value))
    operator = _operator(statement, tensor.type)
    if not tensors:
        emit_builtin_call(graph, loc, operator, [right], [], itself)
        return
    gathered = make_list(graph, t.OptionalType(t.TENSOR), tensors)
    selected = emit_builtin_call(graph, loc, "aten::index", [sliced, gathered])
    new = emit_builtin_call(graph, loc, operator, [right], [], NamedValue(selected, "self"))
    emit_builtin_call(graph, loc, "aten::index_put_", [sliced, gathered, new])
