"""Recovery from an error in a statement: the parts of it that can still be checked.

    if x.sum() > limitt:      the condition fails,
        y = x.abbs()          and the body is checked all the same

The bodies are emitted into blocks that nothing uses, with error values for the variables that the
failed head names: it would have told more of their types.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from minits.diagnostics import Diagnostic
from minits.frontend.values.assigned_names import assigned_names
from minits.frontend.values.error_value import ErrorValue
from minits.source import SourceRange
from minits.syntax import tree
from minits.types import types as t

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter, LoopStatus


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


def emit_bodies(emitter: Emitter, statement: tree.stmt, in_loop: LoopStatus) -> None:
    """Emit the bodies of a statement whose head failed, for their errors.

    in_loop: the status of a loop's body.
    """
    unknown = set(_unknown_names(statement, every=emitter.dialect != "torch"))
    is_loop = isinstance(statement, (tree.For, tree.While))
    for body in bodies_of(statement):
        condition = emitter.graph.emit("prim::Uninitialized", [], [t.BOOL]).output
        block = emitter.graph.emit("prim::If", [condition], []).add_block()
        with (
            emitter.in_loop(in_loop if is_loop else emitter.loop_status),
            emitter.block_environment(block) as environment,
        ):
            environment.values.update((name, ErrorValue()) for name in unknown)
            emitter.emit_statements(body)


def _unknown_names(statement: tree.stmt, *, every: bool) -> Iterator[str]:
    """Yield the variables of which a head tells something: those that stand there by themselves.

    Of `x` in `x.shape` only the extended dialect learns (`every`).
    """
    match statement:
        case tree.If(test=test) | tree.While(test=test):
            heads: Sequence[tree.Node] = (test,)
        case tree.For(target=target, iter=iterated):
            yield from assigned_names(tree.replaced(statement, body=()))
            heads = (target, iterated)
        case tree.With(items=items):
            yield from assigned_names(tree.replaced(statement, body=()))
            heads = items
        case _:
            return
    for head in heads:
        parts = list(tree.walk(head))
        bases = {id(part.value) for part in parts if isinstance(part, tree.Attribute)}
        for part in parts:
            if isinstance(part, tree.Name) and (every or id(part) not in bases):
                yield part.id
