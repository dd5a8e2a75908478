"""Assignments: to variables, tuples, attributes and items; annotated and augmented.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitAssignment`, `emitAugAssignment`, ...).
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.diagnostics import AnnotationError, Diagnostic, error, not_supported
from minits.frontend.calls.schema_matching import NamedValue, make_list
from minits.frontend.emit import subscripts
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.builtins import BuiltinFunction, MagicMethod, make_tuple
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.simple_value import MethodValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.graph import Value
from minits.ops.native_methods import methods_of
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import between, origin
from minits.types import types as t
from minits.types.types import Type


def emit_assign(emitter: Emitter, statement: tree.Assign) -> None:
    loc = origin(statement)
    if len(statement.targets) == 1:
        _assign(emitter, loc, statement.targets[0], statement.value, None)
        return
    name = emitter.temporary("$tmp_assign_")
    at = origin(statement.value)
    emitter.environment.set(at, name, emitter.emit_sugared(statement.value, 1))
    for target in statement.targets:
        _assign(emitter, loc, target, tree.Name(at, name), None)


def emit_annotated(emitter: Emitter, statement: tree.AnnAssign) -> None:
    """Emit `x: T = value`.

    Raises `AnnotationError` (TS206) for an attribute that is annotated outside of `__init__`.
    """
    loc = origin(statement)
    assert statement.value is not None, "syntax/fence.py refuses it"
    attribute = isinstance(statement.target, tree.Attribute)
    if attribute and not emitter.function.is_initializer:
        raise AnnotationError(
            Diagnostic(
                between(statement.target, statement.annotation),
                "TS206",
                "Type annotations on instance attributes must be declared in __init__, not "
                f"'{emitter.function.name}'",
                fix="move the annotation to the class body or to __init__",
            )
        )
    type = emitter.scope.type(statement.annotation)
    _assign(emitter, loc, statement.target, statement.value, type)


def _assign(
    emitter: Emitter,
    loc: SourceRange,
    target: tree.expr,
    value: tree.expr,
    type: Type | None,
) -> None:
    match target:
        case tree.Name(id=name):
            assigned, condition = emitter.rules.emit_assigned(emitter, name, value, type)
            emitter.environment.set(origin(target), name, assigned, type)
            emitter.rules.keep(emitter, name, value if type is None else None, condition)
        case tree.Tuple(elts=targets):
            has_star = _check_targets(target, targets)
            n_binders = len(targets) - has_star
            assigned = emitter.emit_sugared(value, n_binders)
            _unpack(emitter, target, targets, assigned, origin(value))
            if isinstance(value, tree.Tuple) and len(value.elts) == len(targets):
                for each, part in zip(targets, value.elts, strict=True):
                    if isinstance(each, tree.Name):
                        emitter.rules.keep(emitter, each.id, part, None)
        case tree.Attribute(value=base, attr=name):
            holder = emitter.emit_sugared(base, 1)
            new = emitter.emit_sugared(value, 1, type).as_value(origin(value), emitter)
            holder.set_attr(loc, emitter, name, new)
            emitter.rules.place_assigned(emitter, target, new)
        case tree.Subscript():
            item = NamedValue(emitter.emit_expression(value), None, origin(value))
            _assign_item(emitter, loc, target, item, value)
            emitter.rules.place_assigned(emitter, target, item.value)
        case _:
            raise _cannot_assign(target)


LONE_STAR = (
    "A Starred expression may only appear on the lhs within the presence of another non-starred "
    "expression"
)


def _cannot_assign(target: tree.expr) -> Exception:
    fix = "write the targets without brackets" if isinstance(target, tree.List) else None
    message = "unexpected expression on left-hand side of assignment: it cannot be assigned to"
    return error(origin(target), "TS313", message, fix=fix)


def _check_targets(tuple: tree.expr, targets: Sequence[tree.expr]) -> bool:
    """Return whether one of the targets is starred. Raises `CompileError`."""
    for target in targets:
        if not isinstance(
            target, (tree.Name, tree.Subscript, tree.Tuple, tree.Attribute, tree.Starred)
        ):
            raise _cannot_assign(target)
    starred = sum(isinstance(target, tree.Starred) for target in targets)
    if starred > 1:
        raise error(
            origin(tuple),
            "TS313",
            "Only one starred expression is allowed on the lhs of an assignment",
            fix="leave all stars out but one",
        )
    if starred and len(targets) == 1:
        raise error(origin(tuple), "TS313", LONE_STAR, fix="leave the star out")
    return bool(starred)


def _unpack(
    emitter: Emitter,
    node: tree.expr,
    targets: Sequence[tree.expr],
    assigned: SugaredValue,
    value_range: SourceRange,
) -> None:
    has_star = _check_targets(node, targets)
    wanted = len(targets) - has_star
    items = assigned.as_tuple(value_range, emitter, None if has_star else wanted)
    if len(items) < wanted or (len(items) > wanted and not has_star):
        at_least = "at least " if has_star else ""
        message = f"need {at_least}{wanted} values to unpack but found only {len(items)}"
        if len(items) > wanted:
            message = f"too many values to unpack: need {wanted} but found {len(items)}"
        raise error(
            origin(node),
            "TS314",
            message,
            fix="write as many targets as there are values",
        )
    assign_targets(emitter, targets, items, value_range, wanted)


def assign_targets(
    emitter: Emitter,
    targets: Sequence[tree.expr],
    items: Sequence[SugaredValue],
    value_range: SourceRange,
    n_binders: int,
) -> None:
    """Assign values to targets one by one; a starred target takes those left over.

    Raises `CompileError`.
    """
    position = 0
    for target in targets:
        if isinstance(target, tree.Starred):
            count = len(items) - n_binders
            _assign_starred(emitter, target, items[position : position + count])
            position += count
            continue
        item = items[position]
        position += 1
        match target:
            case tree.Name(id=name):
                emitter.environment.set(origin(target), name, item)
                emitter.rules.keep(emitter, name, None, None)
            case tree.Subscript():
                value = NamedValue(item.as_value(value_range, emitter), None, value_range)
                _assign_item(emitter, value_range, target, value)
            case tree.Tuple(elts=inner):
                _unpack(emitter, target, inner, item, value_range)
            case tree.Attribute(value=base, attr=name):
                holder = emitter.emit_sugared(base, 1)
                new = item.as_value(value_range, emitter)
                holder.set_attr(value_range, emitter, name, new)
            case _:
                raise _cannot_assign(target)


def _assign_starred(emitter: Emitter, target: tree.Starred, items: Sequence[SugaredValue]) -> None:
    if not isinstance(target.value, tree.Name):
        raise _cannot_assign(target.value)
    gathered = make_tuple(emitter, [item.as_value(origin(target), emitter) for item in items])
    emitter.environment.set_value(origin(target.value), target.value.id, gathered)


def _assign_item(
    emitter: Emitter,
    loc: SourceRange,
    target: tree.Subscript,
    value: NamedValue,
    node: tree.expr | None = None,
) -> None:
    """`container[index] = value`; `node` is the value's expression, where it has one."""
    graph = emitter.graph
    container = emitter.emit_expression(target.value)
    indices = subscripts.index_expressions(target)
    if container.type == t.TENSOR:
        sliced, tensors = subscripts.slice_tensor(emitter, origin(target), container, indices)
        converted = _as_tensor(emitter, value, sliced)
        if not tensors:
            emit_builtin_call(graph, loc, "aten::copy_", [sliced, converted])
        else:
            gathered = make_list(graph, t.OptionalType(t.TENSOR), tensors)
            emit_builtin_call(graph, loc, "aten::index_put_", [sliced, gathered, converted])
        return
    if len(indices) != 1 or isinstance(indices[0], tree.Slice):
        fix = "assign the items one by one"
        message = (
            "Sliced expression not yet supported for subscripted assignment, only single items"
        )
        raise error(origin(indices[0]), "TS315", message, fix=fix)
    if isinstance(container.type, t.TupleType):
        fix = "make a new tuple, or use a list"
        message = f"{container.type.annotation} does not support subscripted assignment"
        raise error(origin(target), "TS315", message, fix=fix)
    index = emitter.emit_expression(indices[0])
    arguments = [
        NamedValue(container, None, origin(target.value)),
        NamedValue(index, None, origin(indices[0])),
        value,
    ]
    if node is not None:
        emitter.rules.put(emitter, target.value, index.type, value.type, node)
    setter = MagicMethod("__setitem__", BuiltinFunction("aten::_set_item"))
    setter.call(loc, emitter, arguments, [], 0)


def _as_tensor(emitter: Emitter, value: NamedValue, like: Value) -> NamedValue:
    """Convert a number to a tensor of the dtype and device of `like`; return tensors unchanged."""
    if value.type not in (t.INT, t.FLOAT, t.BOOL, t.COMPLEX, t.NUMBER):
        return value
    graph = emitter.graph
    dtype = emit_builtin_call(graph, None, "prim::dtype", [like])
    device = emit_builtin_call(graph, None, "prim::device", [like])
    keywords = [NamedValue(dtype, "dtype"), NamedValue(device, "device")]
    made = emit_builtin_call(graph, None, "aten::tensor", [value], keywords)
    return NamedValue(made, None, value.range)


# ---- Augmented assignment ----------------------------------------------------------------------

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
            old = emitter.emit_expression(target)
            new = _augment(emitter, statement, old)
            emitter.environment.set_value(origin(target), name, new)
        case tree.Attribute(value=base, attr=name):
            holder = emitter.emit_sugared(base, 1)
            at = origin(target)
            kept = emitter.rules.read(emitter, target)
            old = (kept or holder.attr(at, emitter, name)).as_value(at, emitter)
            new = _augment(emitter, statement, old)
            holder.set_attr(loc, emitter, name, new)
            emitter.rules.place_assigned(emitter, target, new)
        case tree.Subscript():
            _augment_item(emitter, statement, target)
        case _:
            raise _cannot_assign(target)


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
        raise not_supported(
            loc,
            "TS196",
            f"unsupported kind of augmented assignment: {statement.op}= of objects",
            fix=f"write x = x {statement.op} y",
        )
    right = emitter.emit_expression(statement.value)
    for name in (f"__i{base}__", f"__{base}__"):
        if name in methods_of(type):
            method = MethodValue(old, (name,))
            result = method.call(loc, emitter, [NamedValue(right)], [], 0)
            return result.as_value(loc, emitter)
    message = f"Cannot emit inplace op on {type.name}: it has neither __i{base}__ nor __{base}__"
    raise error(loc, "TS302", message, fix=f"define __{base}__ in the class")


def _augment_item(emitter: Emitter, statement: tree.AugAssign, target: tree.Subscript) -> None:
    container = emitter.emit_expression(target.value)
    if container.type == t.TENSOR:
        _augment_tensor_item(emitter, statement, target, container)
        return
    indices = subscripts.index_expressions(target)
    loc, graph = origin(statement), emitter.graph
    match container.type:
        case t.ListType(element=type) | t.DictType(key=type):
            pass
        case other:
            fix = "assign the item: x[i] = x[i] + y"
            message = f"{other.annotation} does not support augmented assignment to its items"
            raise error(origin(target), "TS315", message, fix=fix)
    if len(indices) != 1 or isinstance(indices[0], tree.Slice):
        message = f"Sliced expression not yet supported for {container.type.annotation}, only items"
        raise error(origin(indices[0]), "TS315", message, fix="change the items one by one")
    index = emitter.emit_expression(indices[0])
    right = NamedValue(emitter.emit_expression(statement.value), None, origin(statement.value))
    item = emit_builtin_call(graph, loc, "aten::__getitem__", [container, index])
    new = emit_builtin_call(graph, loc, _operator(statement, type), [item, right])
    emit_builtin_call(graph, loc, "aten::_set_item", [container, index, new])


def _augment_tensor_item(
    emitter: Emitter, statement: tree.AugAssign, target: tree.Subscript, tensor: Value
) -> None:
    graph, loc = emitter.graph, origin(statement)
    indices = subscripts.index_expressions(target)
    sliced, tensors = subscripts.slice_tensor(emitter, origin(target), tensor, indices)
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
