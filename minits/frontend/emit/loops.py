"""`for` and `while`.

Both are `prim::Loop(trip_count, condition)` with the body as first block. Until `ssa.py` has run,
the condition that is tested before each iteration is a second block:

    while c():            = prim::Loop(%max_int)
        body                block0(%i : int):
                              body
                              -> ()
                            block1():
                              %c : bool = ...
                              -> (%c)

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitLoopCommon`, `emitFor`, `emitWhile`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from minits.diagnostics import error
from minits.frontend.emit import assignments, branches, conditions
from minits.frontend.emit.refinement import Condition
from minits.frontend.extended import walrus
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.constants import insert_constant
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.int64 import MAX_INT
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter
    from minits.frontend.values.environment import Frame


def emit_for(emitter: Emitter, statement: tree.For) -> None:
    if isinstance(statement.target, tree.Starred):
        raise error(
            origin(statement.target), "TS313", assignments.LONE_STAR, fix="leave the star out"
        )
    emit_iteration(
        emitter,
        origin(statement),
        statement.target,
        statement.iter,
        lambda: emitter.emit_statements(statement.body),
    )


def emit_while(emitter: Emitter, statement: tree.While) -> None:
    if walrus.is_in(statement.test):
        _emit_assigning_while(emitter, statement)
        return

    def body() -> None:
        emitter.emit_statements(statement.body)

    where = origin(statement)
    tested = _emit_loop(emitter, where, statement, body, condition=statement.test)
    if tested is not None and not _has_break(statement.body):
        refined = [(n, type) for n, type in tested.refinements.when_false if n[0] != "$"]
        conditions.refine(emitter, where, tuple(refined))


def _emit_assigning_while(emitter: Emitter, statement: tree.While) -> None:
    """`while test: body`, whose test assigns, is `while True: if test: body` `else: break`.

    What the test assigns first is also defined after the loop: it is evaluated at least once.
    """
    where, graph, outer = origin(statement), emitter.graph, emitter.frame
    first: dict[str, Type] = {}

    def body() -> None:
        condition = conditions.emit(emitter, statement.test)
        assigned = sorted(name for name in emitter.frame.assigned if not outer.has(name))
        first.update((name, emitter.frame.types[name]) for name in assigned)
        jump = (tree.Break(statement.range),)
        branches.emit_branches(emitter, where, condition, statement.body, jump, statement.test)

    before = graph.emit("prim::Constant", [], [t.NONE], where)
    _emit_loop(emitter, where, statement, body, condition=tree.Constant(where, True, None))
    for name, type in first.items():
        with graph.inserting_at(before):
            nothing = graph.emit("prim::Uninitialized", [], [type]).output
            graph.emit("prim::Store", [nothing], []).set_attr("name", "s", name)
        outer.types[name] = type


def _has_break(body: Sequence[tree.stmt]) -> bool:
    """Whether a block leaves the loop that has it."""
    for statement in body:
        match statement:
            case tree.Break():
                return True
            case tree.If(body=first, orelse=second):
                if _has_break(first) or _has_break(second):
                    return True
            case tree.With(body=inner):
                if _has_break(inner):
                    return True
    return False


def emit_iteration(
    emitter: Emitter,
    range: SourceRange,
    target: tree.expr,
    iterated: tree.expr,
    body: Callable[[], None],
) -> None:
    """Emit a loop of a `for` or a comprehension; unrolled where elements are no list."""
    iterable = emitter.emit_sugared(iterated, 1).iter(range, emitter)
    if iterable.unrolls:
        _emit_unrolled(emitter, range, target, iterable, body)
    else:
        _emit_loop(emitter, range, iterated, body, iterable=iterable, target=target)


def _emit_loop(
    emitter: Emitter,
    range: SourceRange,
    statement: tree.Node,
    body: Callable[[], None],
    *,
    iterable: SugaredValue | None = None,
    target: tree.expr | None = None,
    condition: tree.expr | None = None,
) -> Condition | None:
    """Emit a `prim::Loop`, and return its condition if it has one.

    `statement` identifies the loop in the knowledge of the extended dialect.
    """
    from minits.frontend.values.emitter import LoopStatus

    graph, knowledge = emitter.graph, emitter.knowledge
    if iterable is not None:
        trip_count = iterable.len(range, emitter)
    else:
        trip_count = emitter.literal(MAX_INT, range)
    loop = graph.emit("prim::Loop", [], [], range)
    body_block, condition_block = loop.add_block(), loop.add_block()
    if knowledge is not None:
        knowledge.enter_loop(statement, emitter.frame)
    tested = None
    with emitter.block_frame(condition_block, joins=True) as before:
        if condition is not None:
            tested = _emit_condition(emitter, condition, before)
            go_on = tested.value
    if condition is None:
        with graph.inserting_at(loop):
            go_on = insert_constant(graph, True, range=range)
    condition_block.add_output(go_on)
    loop.add_input(trip_count)
    iteration = body_block.add_input(t.INT)
    with (
        emitter.in_loop(LoopStatus.IN_LOOP),
        emitter.block_frame(body_block, joins=True) as frame,
    ):
        if knowledge is not None:
            knowledge.begin_iteration(frame)
            knowledge.hand_on(frame, before)
        if tested is not None:
            conditions.refine(emitter, range, tested.refinements.when_true)
        if iterable is not None and target is not None:
            item = iterable.getitem(range, emitter, iteration).as_value(range, emitter)
            assignments.assign_targets(emitter, (target,), [SimpleValue(item)], range, 1)
        body()
        if knowledge is not None:
            knowledge.end_iteration(frame)
    if knowledge is not None:
        knowledge.leave_loop()
    return tested


def _emit_condition(emitter: Emitter, condition: tree.expr, frame: Frame) -> Condition:
    """Emit a loop's condition. Only the extended dialect uses its refinements."""
    if emitter.knowledge is not None:
        emitter.knowledge.begin_iteration(frame)
        return conditions.emit(emitter, condition)
    emitter.may_know_more = emitter.may_know_more or conditions.may_refine(condition)
    tested = emitter.emit_expression(condition)
    return Condition(conditions.to_bool(emitter, origin(condition), tested))


def _emit_unrolled(
    emitter: Emitter,
    range: SourceRange,
    target: tree.expr,
    iterable: SugaredValue,
    body: Callable[[], None],
) -> None:
    from minits.frontend.values.emitter import LoopStatus

    with emitter.in_loop(LoopStatus.IN_UNROLLED_LOOP):
        for number in _numbers(iterable.static_len or 0):
            index = emitter.literal(number, range)
            item = iterable.getitem(range, emitter, index)
            assignments.assign_targets(emitter, (target,), [item], range, 1)
            body()


_numbers = range


def emit_break(emitter: Emitter, statement: tree.Break) -> None:
    _check_in_loop(emitter, statement, "break")
    _note_jump(emitter)
    emitter.graph.emit("prim::BreakStmt", [], [], origin(statement))


def emit_continue(emitter: Emitter, statement: tree.Continue) -> None:
    _check_in_loop(emitter, statement, "continue")
    _note_jump(emitter)
    emitter.graph.emit("prim::ContinueStmt", [], [], origin(statement))


def _note_jump(emitter: Emitter) -> None:
    """Note that no statement after a jump in its block runs (extended dialect)."""
    if emitter.knowledge is None:
        emitter.may_know_more = True
        return
    emitter.knowledge.end_iteration(emitter.frame)
    emitter.exit_blocks.add(emitter.frame.block)


def _check_in_loop(emitter: Emitter, statement: tree.stmt, word: str) -> None:
    from minits.frontend.values.emitter import LoopStatus

    if emitter.loop_status is LoopStatus.IN_LOOP:
        return
    fix = None
    message = f"SyntaxError: '{word}' outside loop"
    if emitter.loop_status is LoopStatus.IN_UNROLLED_LOOP:
        message = f"{word} {emitter.loop_status.value}"
        fix = "go over range(len(...)), or move the test into a flag"
    raise error(origin(statement), "TS507", message, fix=fix)
