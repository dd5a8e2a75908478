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

from minits.diagnostics import CompileError, error
from minits.frontend.emit import assignments, conditions
from minits.frontend.values.emitter import Emitter, LoopStatus
from minits.frontend.values.narrowing import refine
from minits.frontend.values.refinement import Condition, may_refine
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.frontend.values.when_failed import with_body, with_parts, with_targets
from minits.ir.constants import insert_constant
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.int64 import MAX_INT


def emit_for(emitter: Emitter, statement: tree.For) -> None:
    """Emit a `for` statement. Raises `CompileError` (TS313) where its target is a lone `*x`."""
    if isinstance(statement.target, tree.Starred):
        lone = error(
            origin(statement.target), "TS313", assignments.LONE_STAR, fix="leave the star out"
        )
        raise with_parts(emitter, lone, statement.iter)
    emit_iteration(
        emitter,
        origin(statement),
        statement.target,
        statement.iter,
        lambda: emitter.emit_statements(statement.body),
    )


def emit_while(emitter: Emitter, statement: tree.While) -> None:
    emitter.rules.might_accept |= may_refine(statement.test)
    emit_loop(
        emitter,
        origin(statement),
        statement,
        lambda: emitter.emit_statements(statement.body),
        condition=lambda: emit_loop_condition(emitter, statement.test),
    )


def emit_generators(
    emitter: Emitter,
    loc: SourceRange,
    generators: Sequence[tree.comprehension],
    body: Callable[[], None],
) -> None:
    """Emit the loop of a comprehension, which has one `for`: the fence has refused others."""
    (generator,) = generators
    emit_generator(emitter, loc, generator, body)


def emit_generator(
    emitter: Emitter, loc: SourceRange, generator: tree.comprehension, body: Callable[[], None]
) -> None:
    """Emit the loop of one `for` of a comprehension.

    Raises `CompileError`, with the faults of the body where no iteration begins.
    """
    has_begun = False

    def begun() -> None:
        nonlocal has_begun
        has_begun = True
        body()

    try:
        emit_iteration(emitter, loc, generator.target, generator.iter, begun)
    except CompileError as fault:
        if has_begun:
            raise
        raise with_body(emitter, fault, generator, body) from None


def emit_iteration(
    emitter: Emitter,
    loc: SourceRange,
    target: tree.expr,
    iterated: tree.expr,
    body: Callable[[], None],
) -> None:
    """Emit a loop of a `for` or a comprehension; unrolled where elements are no list.

    Raises `CompileError`.
    """
    try:
        iterable = emitter.emit_sugared(iterated, 1).iter(loc, emitter)
    except CompileError as fault:
        raise with_targets(emitter, fault, (target,)) from None
    if iterable.unrolls:
        _emit_unrolled(emitter, loc, target, iterable, body)
    else:
        emit_loop(emitter, loc, iterated, body, iterable=iterable, target=target)


def emit_loop(
    emitter: Emitter,
    loc: SourceRange,
    statement: tree.Node,
    body: Callable[[], None],
    *,
    iterable: SugaredValue | None = None,
    target: tree.expr | None = None,
    condition: Callable[[], Condition] | None = None,
) -> Condition | None:
    """Emit a `prim::Loop`, and return its condition if it has one.

    statement: identifies the loop, for the rules of the dialect. condition: emits the condition;
    the body begins with what it refines.
    """
    graph, rules = emitter.graph, emitter.rules
    if iterable is not None:
        trip_count = iterable.len(loc, emitter)
    else:
        trip_count = emitter.literal(MAX_INT, loc)
    loop = graph.emit("prim::Loop", [], [], loc)
    body_block, condition_block = loop.add_block(), loop.add_block()
    rules.begin_loop(emitter, statement)
    tested = None
    with emitter.block_environment(condition_block, joins=True) as before:
        rules.begin_iteration(before)
        if condition is not None:
            tested = condition()
            go_on = tested.value
    if condition is None:
        with graph.inserting_at(loop):
            go_on = insert_constant(graph, True, loc=loc)
    condition_block.add_output(go_on)
    loop.add_input(trip_count)
    iteration = body_block.add_input(t.INT)
    with (
        emitter.in_loop(LoopStatus.IN_LOOP),
        emitter.block_environment(body_block, joins=True) as environment,
    ):
        rules.begin_iteration(environment, before)
        if tested is not None:
            refine(emitter, loc, tested.refinements.when_true)
        if iterable is not None and target is not None:
            item = iterable.getitem(loc, emitter, iteration).as_value(loc, emitter)
            assignments.assign_targets(emitter, (target,), [SimpleValue(item)], loc, 1)
        body()
        rules.end_loop(environment)
    return tested


def emit_loop_condition(emitter: Emitter, test: tree.expr) -> Condition:
    """Emit the test of a loop, which refines nothing."""
    value = emitter.emit_expression(test)
    return Condition(conditions.to_bool(emitter, origin(test), value))


def _emit_unrolled(
    emitter: Emitter,
    loc: SourceRange,
    target: tree.expr,
    iterable: SugaredValue,
    body: Callable[[], None],
) -> None:
    with emitter.in_loop(LoopStatus.IN_UNROLLED_LOOP):
        for number in range(iterable.static_len or 0):
            index = emitter.literal(number, loc)
            item = iterable.getitem(loc, emitter, index)
            assignments.assign_targets(emitter, (target,), [item], loc, 1)
            body()


def emit_break(emitter: Emitter, statement: tree.Break) -> None:
    _check_in_loop(emitter, statement, "break")
    emitter.rules.jumped(emitter)
    emitter.graph.emit("prim::BreakStmt", [], [], origin(statement))


def emit_continue(emitter: Emitter, statement: tree.Continue) -> None:
    _check_in_loop(emitter, statement, "continue")
    emitter.rules.jumped(emitter)
    emitter.graph.emit("prim::ContinueStmt", [], [], origin(statement))


def _check_in_loop(emitter: Emitter, statement: tree.stmt, word: str) -> None:
    if emitter.loop_status is LoopStatus.IN_LOOP:
        return
    fix = f"put it into a loop, or leave {word} out"
    message = f"SyntaxError: '{word}' outside loop"
    if emitter.loop_status is LoopStatus.IN_UNROLLED_LOOP:
        message = f"'{word}' has no meaning {emitter.loop_status.value}"
        fix = "guard the rest of the body by an if, such as `if not done:`"
    raise error(origin(statement), "TS507", message, fix=fix)
