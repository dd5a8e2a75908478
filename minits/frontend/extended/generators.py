"""Comprehensions in the extended dialect: a loop for each `for`, an `if` for each condition.

    [a * b for a in xs if a > 0 for b in ys]   =   made = []
                                                   for a in xs:
                                                       if a > 0:
                                                           for b in ys:
                                                               made.append(a * b)

torch has one `for` and no condition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from minits.diagnostics import CompileError, with_faults_of
from minits.frontend.emit import loops
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.narrowing import refine
from minits.frontend.values.when_failed import emit_unused, names_told_of
from minits.source import SourceRange
from minits.syntax import tree


def emit_generators(
    emitter: Emitter,
    loc: SourceRange,
    generators: Sequence[tree.comprehension],
    body: Callable[[], None],
) -> None:
    """Emit the loops of a comprehension; `body` emits what is done for each item."""
    first, *rest = generators

    def inner() -> None:
        emit_generators(emitter, loc, rest, body)

    loops.emit_generator(
        emitter,
        loc,
        first,
        lambda: _emit_filtered(emitter, loc, first.ifs, inner if rest else body),
    )


def _emit_filtered(
    emitter: Emitter, loc: SourceRange, tests: Sequence[tree.expr], body: Callable[[], None]
) -> None:
    """Emit `body` under nested Ifs, one for each condition, with the refinements of all."""
    if not tests:
        body()
        return
    try:
        condition = emitter.emit_condition(tests[0])
    except CompileError as fault:
        steps = [lambda: _emit_filtered(emitter, loc, tests[1:], body)]
        told = list(names_told_of(emitter, tests[0]))
        raise with_faults_of(fault, lambda: emit_unused(emitter, steps, told)) from None
    node = emitter.graph.emit("prim::If", [condition.value], [], loc)
    with emitter.block_environment(node.add_block()):
        refine(emitter, loc, condition.refinements.when_true)
        _emit_filtered(emitter, loc, tests[1:], body)
    node.add_block()
