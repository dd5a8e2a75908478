"""Assignments: to variables, tuples, attributes and items; annotated and augmented.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitAssignment`, `emitAugAssignment`, ...).
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.diagnostics import (
    AnnotationError,
    CompileError,
    Diagnostic,
    Faults,
    error,
    with_faults_of,
)
from minits.frontend.calls.schema_matching import NamedValue, make_list
from minits.frontend.emit import subscripts
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.builtins import BuiltinFunction, MagicMethod, make_tuple
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.sugared_value import SugaredValue
from minits.frontend.values.when_failed import with_parts, with_targets
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import between, origin
from minits.types import types as t
from minits.types.types import Type


def emit_assign(emitter: Emitter, statement: tree.Assign) -> None:
    """Emit `x = value`, or `x = y = value`. Raises `CompileError` with the faults of all parts."""
    loc = origin(statement)
    if len(statement.targets) == 1:
        _assign(emitter, loc, statement.targets[0], statement.value, None)
        return
    name = emitter.temporary("$tmp_assign_")
    at = origin(statement.value)
    try:
        value = emitter.emit_sugared(statement.value, 1)
    except CompileError as fault:
        raise with_targets(emitter, fault, statement.targets) from None
    emitter.environment.set(at, name, value)
    faults = Faults()
    for target in statement.targets:
        with faults.gathered():
            _assign(emitter, loc, target, tree.Name(at, name), None)
    faults.raise_all()


def emit_annotated(emitter: Emitter, statement: tree.AnnAssign) -> None:
    """Emit `x: T = value`.

    Raises `AnnotationError` (TS206) for an attribute that is annotated outside of `__init__`.
    """
    loc = origin(statement)
    assert statement.value is not None, "syntax/fence.py refuses it"
    attribute = isinstance(statement.target, tree.Attribute)
    if attribute and not emitter.function.is_initializer:
        wrong: CompileError = AnnotationError(
            Diagnostic(
                between(statement.target, statement.annotation),
                "TS206",
                "Type annotations on instance attributes must be declared in __init__, not "
                f"'{emitter.function.name}'",
                fix="move the annotation to the class body or to __init__",
            )
        )
        wrong = with_faults_of(wrong, lambda: emitter.scope.type(statement.annotation))
        raise _with_others(emitter, wrong, statement)
    try:
        type = emitter.scope.type(statement.annotation)
    except CompileError as fault:
        raise _with_others(emitter, fault, statement) from None
    _assign(emitter, loc, statement.target, statement.value, type)


def _with_others(emitter: Emitter, fault: CompileError, statement: tree.AnnAssign) -> CompileError:
    """Return the error of an annotation with those of the value and the target."""
    return with_targets(emitter, with_parts(emitter, fault, statement.value), [statement.target])


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
            try:
                has_star = _check_targets(target, targets)
            except CompileError as fault:
                raise with_parts(emitter, fault, value) from None
            n_binders = len(targets) - has_star
            try:
                assigned = emitter.emit_sugared(value, n_binders)
            except CompileError as fault:
                raise with_targets(emitter, fault, targets) from None
            _unpack(emitter, target, targets, assigned, origin(value))
            if isinstance(value, tree.Tuple) and len(value.elts) == len(targets):
                for each, part in zip(targets, value.elts, strict=True):
                    if isinstance(each, tree.Name):
                        emitter.rules.keep(emitter, each.id, part, None)
        case tree.Attribute(value=base, attr=name):

            def emit_value() -> Value:
                return emitter.emit_sugared(value, 1, type).as_value(origin(value), emitter)

            try:
                holder = emitter.emit_sugared(base, 1)
            except CompileError as fault:
                raise with_faults_of(fault, emit_value) from None
            declared = _type_of_attribute(holder, name)
            if declared is not None:
                emitter.rules.expects(emitter, value, declared)
            new = emit_value()
            holder.set_attr(loc, emitter, name, new)
            emitter.rules.place_assigned(emitter, target, new)
        case tree.Subscript():
            try:
                item = NamedValue(emitter.emit_expression(value), None, origin(value))
            except CompileError as fault:
                raise with_targets(emitter, fault, (target,)) from None
            _assign_item(emitter, loc, target, item, value)
            emitter.rules.place_assigned(emitter, target, item.value)
        case _:
            raise with_parts(emitter, cannot_assign(target), value)


def _type_of_attribute(holder: SugaredValue, name: str) -> Type | None:
    """Return the type that an attribute of a module or object is declared with, if it is."""
    object = getattr(holder, "value", None)
    if not isinstance(object, Value) or not isinstance(object.type, t.ClassType):
        return None
    attribute = object.type.attributes.get(name)
    return attribute.type if attribute is not None else None


LONE_STAR = (
    "A Starred expression may only appear on the lhs within the presence of another non-starred "
    "expression"
)


def cannot_assign(target: tree.expr) -> CompileError:
    fix = "write the targets without brackets" if isinstance(target, tree.List) else None
    message = "unexpected expression on left-hand side of assignment: it cannot be assigned to"
    return error(origin(target), "TS313", message, fix=fix)


def _check_targets(tuple: tree.expr, targets: Sequence[tree.expr]) -> bool:
    """Return whether one of the targets is starred. Raises `CompileError`."""
    for target in targets:
        if not isinstance(
            target, (tree.Name, tree.Subscript, tree.Tuple, tree.Attribute, tree.Starred)
        ):
            raise cannot_assign(target)
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
    try:
        items = assigned.as_tuple(value_range, emitter, None if has_star else wanted)
    except CompileError as fault:
        raise with_targets(emitter, fault, targets) from None
    if len(items) < wanted or (len(items) > wanted and not has_star):
        at_least = "at least " if has_star else ""
        message = f"need {at_least}{wanted} values to unpack but found only {len(items)}"
        if len(items) > wanted:
            message = f"too many values to unpack: need {wanted} but found {len(items)}"
        wrong = error(
            origin(node), "TS314", message, fix="write as many targets as there are values"
        )
        raise with_targets(emitter, wrong, targets)
    assign_targets(emitter, targets, items, value_range, wanted)


def assign_targets(
    emitter: Emitter,
    targets: Sequence[tree.expr],
    items: Sequence[SugaredValue],
    value_range: SourceRange,
    n_binders: int,
) -> None:
    """Assign values to targets one by one; a starred target takes those left over.

    Raises `CompileError` with the faults of all of them.
    """
    position = 0
    faults = Faults()
    for target in targets:
        count = len(items) - n_binders if isinstance(target, tree.Starred) else 1
        try:
            _assign_items(emitter, target, items[position : position + count], value_range)
        except CompileError as fault:
            faults.add(fault)
        position += count
    faults.raise_all()


def _assign_items(
    emitter: Emitter, target: tree.expr, items: Sequence[SugaredValue], value_range: SourceRange
) -> None:
    """Assign the one item that there is for a target, or any number to a starred one."""
    match target:
        case tree.Starred():
            _assign_starred(emitter, target, items)
        case tree.Name(id=name):
            emitter.environment.set(origin(target), name, items[0])
            emitter.rules.keep(emitter, name, None, None)
        case tree.Subscript():
            value = NamedValue(items[0].as_value(value_range, emitter), None, value_range)
            _assign_item(emitter, value_range, target, value)
        case tree.Tuple(elts=inner):
            _unpack(emitter, target, inner, items[0], value_range)
        case tree.Attribute(value=base, attr=name):
            holder = emitter.emit_sugared(base, 1)
            new = items[0].as_value(value_range, emitter)
            holder.set_attr(value_range, emitter, name, new)
        case _:
            raise cannot_assign(target)


def _assign_starred(emitter: Emitter, target: tree.Starred, items: Sequence[SugaredValue]) -> None:
    if not isinstance(target.value, tree.Name):
        raise cannot_assign(target.value)
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
    container, indices = emit_container(emitter, target)
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
        wrong = error(origin(indices[0]), "TS315", message, fix=fix)
        raise with_parts(emitter, wrong, *indices)
    if isinstance(container.type, t.TupleType):
        fix = "make a new tuple, or use a list"
        message = f"{container.type.annotation} does not support subscripted assignment"
        raise with_parts(emitter, error(origin(target), "TS315", message, fix=fix), *indices)
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


def emit_container(emitter: Emitter, target: tree.Subscript) -> tuple[Value, tuple[tree.expr, ...]]:
    """Emit the container of an item; return it, and the indices, which are yet to be emitted.

    Raises `CompileError`, with the faults of the indices.
    """
    indices = subscripts.index_expressions(target)
    try:
        return emitter.emit_expression(target.value), indices
    except CompileError as fault:
        raise with_parts(emitter, fault, *indices) from None


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
