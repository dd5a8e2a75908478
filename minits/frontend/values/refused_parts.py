"""Statements with refused syntax in their heads: what stands beside it is checked all the same.

    y = f(x.abbs(), {1, 2}) + limitt      the set is refused, and two more faults are told

The statement is not emitted: the largest parts without refused syntax are, each alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from minits.diagnostics import CompileError
from minits.frontend.values.assigned_names import assigned_names
from minits.frontend.values.lone_parts import emit_alone, emit_unused, names_told_of, places_in
from minits.syntax import tree
from minits.syntax.fence import check_parts

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter


def emit_around(emitter: Emitter, statement: tree.stmt) -> None:
    """Emit the parts of a statement's head that have no refused syntax; record their faults."""
    first, *others = [*_heads(statement), None]
    told = names_told_of(emitter, first) if isinstance(statement, tree.Assert) else ()
    known_late = [*assigned_names(statement), *told]
    for heads, unknown in (([first], _assigned_within(first)), (others, known_late)):
        steps = [partial(_emit, emitter, head) for head in heads if head is not None]
        try:
            emit_unused(emitter, steps, unknown)
        except CompileError as fault:
            emitter.record(fault)


def _assigned_within(head: tree.expr | None) -> list[str]:
    return [] if head is None else assigned_names(head)


def _heads(statement: tree.stmt) -> list[tree.expr]:
    """Return the expressions of a statement outside of its bodies, in the order of evaluation.

    Of the targets of assignments they are what is evaluated to assign to them.
    """
    match statement:
        case tree.Assign(targets=targets, value=value):
            return [value, *(place for target in targets for place in places_in(target))]
        case tree.AugAssign(target=target, value=value):
            return [value, *places_in(target)]
        case tree.AnnAssign(target=target, value=tree.expr() as value):
            return [value, *places_in(target)]
        case tree.For(target=target, iter=iterated):
            return [iterated, *places_in(target)]
        case tree.If(test=test) | tree.While(test=test):
            return [test]
        case tree.Assert(test=test, msg=message):
            return [test] if message is None else [test, message]
        case tree.With(items=items):
            return [item.context_expr for item in items]
        case tree.Return(value=tree.expr() as value) | tree.Expr(value=value):
            return [value]
        case tree.Raise(exc=tree.expr() as value):
            return [value]
        case tree.Delete(targets=targets):
            return [place for target in targets for place in places_in(target)]
    return []


def _emit(emitter: Emitter, node: tree.Node) -> None:
    """Emit an expression, or the largest parts of it, that have no refused syntax in them."""
    if isinstance(node, (tree.keyword, tree.FormattedValue)):
        node = node.value
    if isinstance(node, tree.expr) and not check_parts([node], emitter.dialect):
        emit_alone(emitter, [node])
        return
    parts, unknown = _parts(emitter, node)
    emit_unused(emitter, [partial(_emit, emitter, part) for part in parts], unknown)


def _parts(emitter: Emitter, node: tree.Node) -> tuple[Sequence[tree.Node], Iterable[str]]:
    """Return the parts of an expression that can be emitted, and the variables unknown in them."""
    match node:
        case tree.BoolOp() | tree.IfExp():
            return tree.children(node), names_told_of(emitter, node)
        case tree.ListComp() | tree.SetComp() | tree.DictComp() | tree.GeneratorExp():
            return [node.generators[0].iter], ()
        case tree.NamedExpr(value=value):
            return [value], ()
        case tree.Lambda():
            return [], ()
    return tree.children(node), ()
