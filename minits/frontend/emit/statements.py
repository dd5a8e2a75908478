"""Statements, except assignments and loops.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitStatements`, `emitReturn`, ...).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits.diagnostics import CompileError, Faults, Note, error
from minits.edits import replacing
from minits.frontend.calls.schema_matching import NamedValue, convert
from minits.frontend.emit import assignments, augmented_assignments, branches, loops
from minits.frontend.values.assigned_names import target_names
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.builtins import AssertionErrorValue, ExceptionInstance, PythonException
from minits.frontend.values.emitter import Emitter, Returns
from minits.frontend.values.error_value import ErrorValue
from minits.frontend.values.simple_value import MethodValue
from minits.frontend.values.when_failed import with_message, with_parts, with_targets
from minits.ir.constants import insert_constant
from minits.ir.graph import Value
from minits.lazily import lazily
from minits.ops.native_methods import methods_of
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.subtyping import is_subtype, unify

annotation_of_empty: Callable[[Value, t.Type], str | None] = lazily(
    "minits.frontend.calls.untyped_containers:annotation_of_empty"
)


def emit(emitter: Emitter, statement: tree.stmt) -> None:
    """Emit one statement."""
    _EMITTERS[type(statement)](emitter, statement)  # the fence has refused what is not here


def emit_return(emitter: Emitter, statement: tree.Return) -> None:
    """Emit a `return`, and merge the type of its value with those of the returns before it.

    Raises `CompileError` (TS503) where no one type covers them.
    """
    graph, returns, loc = emitter.graph, emitter.returns, origin(statement)
    node = statement.value or tree.Constant(loc, None, None)
    value = emitter.emit_expression(node, returns.declared)
    if returns.declared is not None:
        emitter.rules.expects(emitter, node, returns.declared)
        value = convert(graph, loc, returns.declared, value)
        _check_return(emitter, statement, value)
        returns.merged = returns.declared
    else:
        before = returns.merged
        returns.merged = value.type if before is None else unify(before, value.type)
        if returns.merged is None:
            emitter.returns = Returns(returns.declared, before)
            raise error(
                loc,
                "TS503",
                "Previous return statement returned a value of type "
                f"{before.annotation if before else 'None'} but this return statement returns a "
                f"value of type {value.type.annotation}",
                fix="return one type everywhere, or annotate the result: "
                f"Union[{before.annotation if before else 'None'}, {value.type.annotation}]",
            )
    if returns.merged == t.ANY and value.type != t.ANY:
        value = emitter.unchecked_cast(value, t.ANY)
    graph.emit("prim::ReturnStmt", [value], [])
    emitter.exit_blocks.add(emitter.environment.block)


def _check_return(emitter: Emitter, statement: tree.Return, value: Value) -> None:
    declared, found = emitter.returns.declared, value.type
    assert declared is not None
    if is_subtype(found, declared):
        return
    fix = annotation_of_empty(value, declared)
    notes, edit = [], None
    if fix is None and isinstance(found, t.OptionalType) and is_subtype(found.element, declared):
        notes.append(Note("the value may be None here"))
        fix = f"annotate the result {found.annotation}, or test the value with `is not None` first"
    elif fix is None:
        fix = f"annotate the result {found.annotation}, or convert the value"
        written = emitter.function.definition.returns
        if found in _PLAIN and declared in _PLAIN and written is not None:
            edit = replacing(written.range, found.annotation)
    raise error(
        origin(statement),
        "TS504",
        f"Return value was annotated as having type {declared.annotation} but is actually "
        f"of type {found.annotation}",
        notes=notes,
        fix=fix,
        edit=edit,
    )


_PLAIN = (t.INT, t.FLOAT, t.BOOL, t.STR)
"""Types that have the same names in every file."""


def emit_expression_statement(emitter: Emitter, statement: tree.Expr) -> None:
    emitter.emit_sugared(statement.value, 0)


def emit_pass(emitter: Emitter, statement: tree.Pass) -> None:
    """Emit nothing."""


def emit_raise(emitter: Emitter, statement: tree.Raise) -> None:
    """Emit a `raise`. Raises `CompileError` (TS505) where its operand is no exception."""
    graph, loc = emitter.graph, origin(statement)
    assert statement.exc is not None, "syntax/fence.py refuses it"
    raised = emitter.emit_sugared(statement.exc, 1)
    class_name: Any = None
    if isinstance(raised, ExceptionInstance):
        message: Value = raised.message
        class_name = raised.class_name
    elif isinstance(raised, (PythonException, AssertionErrorValue)):
        message = insert_constant(graph, "", loc=loc)
    else:
        fix = "raise an exception class, such as RuntimeError('...')"
        raise error(
            loc,
            "TS505",
            f"exceptions must derive from BaseException, not a {raised.kind}",
            fix=fix,
        )
    if message.type != t.STR:
        message = emit_builtin_call(graph, None, "aten::str", [message])
    emit_builtin_call(graph, loc, "prim::RaiseException", [message, class_name])
    emitter.exit_blocks.add(emitter.environment.block)


def emit_assert(emitter: Emitter, statement: tree.Assert) -> None:
    """`assert c, m` is `if c: pass` `else: raise AssertionError(m)`, refinements included."""
    loc = origin(statement)
    try:
        condition = emitter.emit_condition(statement.test)
    except CompileError as fault:
        raise with_message(emitter, fault, statement) from None
    message = statement.msg or tree.Constant(loc, "", None)
    callee = tree.Name(loc, "AssertionError")
    failed = tree.Raise(loc, tree.Call(loc, callee, (message,), ()), None)
    branches.emit_branches(emitter, loc, condition, (), (failed,), statement.test)


def emit_if(emitter: Emitter, statement: tree.If) -> None:
    condition = emitter.emit_condition(statement.test)
    branches.emit_branches(
        emitter, origin(statement), condition, statement.body, statement.orelse, statement.test
    )


def emit_delete(emitter: Emitter, statement: tree.Delete) -> None:
    """Emit a `del` of variables and items. Raises `CompileError` (TS312) for other targets."""
    faults = Faults()
    for target in statement.targets:
        with faults.gathered():
            _delete(emitter, statement, target)
    faults.raise_all()


def _delete(emitter: Emitter, statement: tree.Delete, target: tree.expr) -> None:
    match target:
        case tree.Name(id=name):
            if not emitter.environment.remove(name):
                emitter.lookup(name, origin(target))
        case tree.Subscript(slice=tree.Slice()):
            wrong = error(
                origin(target),
                "TS312",
                "del statements only support deletion at a single index, not of a slice",
                fix="delete items one by one",
            )
            raise with_targets(emitter, wrong, [target])
        case tree.Subscript():
            _delete_item(emitter, statement, target)
        case _:
            wrong = error(
                origin(target),
                "TS312",
                "del statements are only supported for deleting variables and items",
                fix="del takes variables and items of lists and dicts",
            )
            raise with_targets(emitter, wrong, [target])


def _delete_item(emitter: Emitter, statement: tree.Delete, target: tree.Subscript) -> None:
    try:
        container = emitter.emit_sugared(target.value, 1)
    except CompileError as fault:
        raise with_parts(emitter, fault, target.slice) from None
    index = emitter.emit_expression(target.slice)
    value = container.as_value(origin(target.value), emitter)
    if isinstance(value.type, t.ClassType):
        if "__delitem__" not in methods_of(value.type):
            raise error(
                origin(target),
                "TS302",
                f"Class does not define __delitem__: {value.type.short_name}",
                fix="define it in the class",
            )
        method = MethodValue(value, ("__delitem__",))
        method.call(origin(statement), emitter, [NamedValue(index)], [], 0)
    elif not isinstance(value.type, (t.ListType, t.DictType)):
        fix = "del takes variables and items of lists and dicts"
        message = f"items of {value.type.annotation} cannot be deleted"
        emitter.deferred_errors += error(origin(target), "TS312", message, fix=fix).diagnostics
    else:
        emitter.graph.emit("aten::Delete", [value, index], [], origin(target))


def emit_with(emitter: Emitter, statement: tree.With) -> None:
    """Emit a `with`: all `prim::Enter`, the body, then `prim::Exit` in reverse order.

    Raises `CompileError` (TS506) where the target of `as` is no variable.
    """
    entered: list[Value] = []
    faults = Faults()
    for item in statement.items:
        try:
            entered.append(_enter(emitter, item))
        except CompileError as fault:
            faults.add(fault)
            targets = [] if item.optional_vars is None else [item.optional_vars]
            unknown = target_names(targets)
            emitter.environment.values.update((name, ErrorValue()) for name in unknown)
    faults.raise_all()
    emitter.emit_statements(statement.body)
    for manager in reversed(entered):
        emitter.graph.emit("prim::Exit", [manager], [t.TENSOR])


def _enter(emitter: Emitter, item: tree.withitem) -> Value:
    """Emit the begin of a `with` for an item; return the context manager."""
    manager = emitter.emit_expression(item.context_expr)
    node = emitter.graph.emit("prim::Enter", [manager], [t.TENSOR])
    node.output.type = _check_context_manager(emitter, item, manager)
    if isinstance(item.optional_vars, tree.Name):
        name = item.optional_vars
        emitter.environment.set_value(origin(name), name.id, node.output)
    elif item.optional_vars is not None:
        message = "`with ... as` takes one variable"
        fix = "assign its parts in the block"
        raise error(origin(item.context_expr), "TS506", message, fix=fix)
    return manager


def _check_context_manager(emitter: Emitter, item: tree.withitem, manager: Value) -> t.Type:
    """Return the type that `__enter__` returns."""
    loc, type = origin(item.context_expr), manager.type
    fix = "use an object of a script class with __enter__ and __exit__"
    if not isinstance(type, t.ClassType):
        raise error(
            loc,
            "TS506",
            f"With item expression must return an object, not {type.annotation}",
            fix=fix,
        )
    methods = methods_of(type)
    enter, leave = methods.get("__enter__"), methods.get("__exit__")
    if enter is None or leave is None:
        message = f"{type.short_name} does not define __enter__ and __exit__ methods"
        raise error(loc, "TS506", message, fix=fix)
    emitter.ensure_defined(enter, loc)
    emitter.ensure_defined(leave, loc)
    if len(enter.schema.arguments) != 1:
        message = "__enter__ must have only one argument and one return value: self"
        raise error(loc, "TS506", message, fix="write def __enter__(self)")
    given = leave.schema.arguments
    if len(given) != 4:
        message = "__exit__ must have four arguments: self, and three of type Any"
        fix = "write def __exit__(self, type: Any, value: Any, traceback: Any)"
        raise error(loc, "TS506", message, fix=fix)
    wrong = [index for index in (1, 2, 3) if given[index].type != t.ANY]
    if wrong:
        message = (
            f"argument {wrong[0]} of __exit__ must have Any type, not "
            f"{given[wrong[0]].type.annotation}: it is given None, whatever is raised"
        )
        raise error(loc, "TS506", message, fix=f"write {given[wrong[0]].name}: Any")
    result: t.Type = enter.schema.returns[0].type
    return result


_EMITTERS: dict[type, Callable[[Emitter, Any], None]] = {
    tree.Assign: assignments.emit_assign,
    tree.AnnAssign: assignments.emit_annotated,
    tree.AugAssign: augmented_assignments.emit_augmented,
    tree.For: loops.emit_for,
    tree.While: loops.emit_while,
    tree.Break: loops.emit_break,
    tree.Continue: loops.emit_continue,
    tree.If: emit_if,
    tree.Return: emit_return,
    tree.Expr: emit_expression_statement,
    tree.Pass: emit_pass,
    tree.Raise: emit_raise,
    tree.Assert: emit_assert,
    tree.Delete: emit_delete,
    tree.With: emit_with,
    # in archives only: the fence refuses it elsewhere
    tree.FunctionDef: lazily("minits.frontend.values.closures:emit_closure"),
}
