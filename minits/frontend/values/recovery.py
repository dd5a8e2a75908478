"""Recovery from an error in a statement: the parts of it that can still be checked.

    if x.sum() > limitt:      the condition fails,
        y = x.abbs()          and the body is checked all the same

The bodies are emitted into blocks that nothing uses, with error values for the variables that the
failed head names: it would have told more of their types. What the statement would have assigned
has an error value from then on, whose uses are no errors of their own.

Of what is checked in the head itself see `lone_parts.py`, and `refused_parts.py` where it has
syntax that is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from minits.diagnostics import CompileError, Diagnostic, with_faults_of
from minits.frontend.values.assigned_names import assigned_attributes, assigned_names
from minits.frontend.values.emitter import LoopStatus
from minits.frontend.values.error_value import ErrorValue
from minits.frontend.values.lone_parts import (
    block_where,
    emit_alone,
    may_be,
    names_told_of,
    refine_where,
    unused_block,
)
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.blocks import has_break
from minits.types import types as t
from minits.types.subtyping import may_be_refined

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter
    from minits.frontend.values.environment import Environment


# ---- Going on ------------------------------------------------------------------------------------


def recover(emitter: Emitter, statement: tree.stmt, fault: CompileError | None = None) -> None:
    """Go on after a statement that failed: check its bodies, and forget what it assigns.

    fault: what it failed with; None if its syntax is refused.
    """
    _emit_bodies(emitter, statement)
    forget_assigned(emitter, statement, fault)


def forget_assigned(
    emitter: Emitter, statement: tree.stmt, fault: CompileError | None = None
) -> None:
    """Give error values to the variables, and to attributes, that a failed statement assigns.

    A Tensor that is computed anew stays one: most functions that are misspelled would have returned
    a Tensor. One whose callee failed does not.
    """
    environment = emitter.environment
    if isinstance(statement, (tree.Return, tree.Raise)):
        emitter.exit_blocks.add(environment.block)
    for name in assigned_names(statement):
        is_tensor = environment.type_of(name) == t.TENSOR
        if not is_tensor or _names_another_value(statement, name, fault):
            environment.types.pop(name, None)
            environment.values.pop(name, None)
            forget(environment, name)
    for name in emitter.rules.unsettled():
        environment.lose(name)
    if emitter.function.is_initializer:
        emitter.lost_attributes.update(assigned_attributes(statement))


def forget(environment: Environment, name: str) -> None:
    """Give a variable an error value, unless it has a type here that nothing can refine."""
    type = environment.type_of(name)
    if type is None or may_be_refined(type):
        environment.types.pop(name, None)
        environment.values[name] = ErrorValue()


def _names_another_value(statement: tree.stmt, name: str, fault: CompileError | None) -> bool:
    """Return whether a variable may be of another type after a statement that failed.

    fault: what the statement failed with.
    """
    if fault is not None and any(each.callers for each in fault.diagnostics):
        return True
    if not isinstance(statement, tree.Assign):
        return False
    return not any(
        isinstance(part, tree.Name) and part.id == name for part in tree.walk(statement.value)
    )


# ---- Bodies --------------------------------------------------------------------------------------


def bodies_of(statement: tree.stmt) -> tuple[Sequence[tree.stmt], ...]:
    """Return the blocks of statements in a compound statement; none for others."""
    match statement:
        case tree.If(body=body, orelse=orelse):
            return body, orelse
        case tree.For(body=body, orelse=()) | tree.While(body=body, orelse=()):
            return (body,)
        case tree.With(body=body):
            return (body,)
    return ()


def _emit_bodies(emitter: Emitter, statement: tree.stmt) -> None:
    """Emit the bodies of a statement whose head failed, for their errors.

    Where a body leaves the block, what the head would have told besides is unknown behind it, too.
    """
    unknown = set(_unknown_names(emitter, statement))
    is_loop = isinstance(statement, (tree.For, tree.While))
    with emitter.in_loop(LoopStatus.IN_LOOP if is_loop else emitter.loop_status):
        match statement:
            case tree.If():
                _emit_branches(emitter, statement)
            case tree.While(test=test, body=body) if emitter.dialect == "extended":
                with block_where(emitter, test, True):
                    emitter.emit_statements(body)
            case _:
                for statements in bodies_of(statement):
                    with unused_block(emitter, unknown):
                        emitter.emit_statements(statements)
    if isinstance(statement, tree.Assert) or any(map(_leaves, bodies_of(statement))):
        emitter.environment.values.update((name, ErrorValue()) for name in unknown)
    if isinstance(statement, tree.If) and _always_leaves(emitter, statement):
        emitter.exit_blocks.add(emitter.environment.block)
    match statement:
        case tree.Assert(test=test):
            refine_where(emitter, test, True)
        case tree.If(test=test, body=body, orelse=orelse) if _leaves(body) != _leaves(orelse):
            refine_where(emitter, test, _leaves(orelse))
        case tree.While(test=test, body=body) if emitter.dialect == "extended":
            if not has_break(body):
                refine_where(emitter, test, False)


def _emit_branches(emitter: Emitter, statement: tree.If) -> None:
    """Emit the branches of an `if`, except one that never runs, whatever it is that failed."""
    for body, truth in ((statement.body, True), (statement.orelse, False)):
        if may_be(emitter, statement.test, truth):
            with block_where(emitter, statement.test, truth):
                emitter.emit_statements(body)


def with_message(emitter: Emitter, fault: CompileError, statement: tree.Assert) -> CompileError:
    """Return the error of the test of an assertion with those of its message."""
    if statement.msg is None or not may_be(emitter, statement.test, False):
        return fault

    def emit_message() -> None:
        with block_where(emitter, statement.test, False):
            emit_alone(emitter, [statement.msg])

    return with_faults_of(fault, emit_message)


def _leaves(body: Sequence[tree.stmt]) -> bool:
    """Return whether a body ends the block around it: what the head tells holds after it."""
    return bool(body) and isinstance(body[-1], (tree.Return, tree.Raise, tree.Break, tree.Continue))


def _always_leaves(emitter: Emitter, statement: tree.If) -> bool:
    """Return whether each branch that may run ends the block around it: nothing behind it runs."""
    branches = ((statement.body, True), (statement.orelse, False))
    return all(_leaves(body) for body, truth in branches if may_be(emitter, statement.test, truth))


def _unknown_names(emitter: Emitter, statement: tree.stmt) -> Iterator[str]:
    """Yield the variables of which a head tells something."""
    match statement:
        case tree.If(test=test) | tree.While(test=test) | tree.Assert(test=test):
            yield from names_told_of(emitter, test)
        case tree.For(target=target, iter=iterated):
            yield from assigned_names(tree.replaced(statement, body=()))
            yield from names_told_of(emitter, target, iterated)
        case tree.With(items=items):
            yield from assigned_names(tree.replaced(statement, body=()))
            yield from names_told_of(emitter, *items)


# ---- Diagnostics ---------------------------------------------------------------------------------


def has_refused_head(statement: tree.stmt, refused: Sequence[Diagnostic]) -> bool:
    """Return whether syntax was refused in a statement, but outside its bodies."""
    inner = [each.range for body in bodies_of(statement) for each in body]
    return any(
        _contains(statement.range, each.range)
        and not any(_contains(body, each.range) for body in inner)
        for each in refused
    )


def _contains(outer: SourceRange, inner: SourceRange | None) -> bool:
    return inner is not None and outer.start <= inner.start and inner.end <= outer.end


def in_order(fault: CompileError, definition: tree.FunctionDef) -> CompileError:
    """Return the error of a statement with its diagnostics in the order of their places.

    The place of a fault in a function that is called is that of the call.
    """
    places = [_place(each, definition.range) for each in fault.diagnostics]
    if len(places) < 2 or None in places:
        return fault
    ordered = sorted(zip(places, fault.diagnostics, strict=True), key=lambda pair: pair[0] or 0)
    return type(fault)(each for _, each in ordered)


def _place(found: Diagnostic, around: SourceRange) -> int | None:
    """Return the offset in a range at which a fault is, or the call that leads to it."""
    ranges = (found.range, *(each.range for each in found.callers))
    own = (each for each in ranges if each and each.source is around.source)
    return next((each.start for each in own if _contains(around, each)), None)
