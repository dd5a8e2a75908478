"""Parts of a statement that failed, emitted alone: for their faults, and nothing else.

    y = torch.sinn(x.abbs())      the callee fails, so that nobody knows what the argument is for,
                                  and the argument is checked all the same

Parts of an expression that do not depend on each other are all emitted as ever, although one fails
(`emit/arguments.py`). Here is what depends on the part that failed. Without the context that it
would have given, a part may be a type as well as a value, or lack the type that is expected of it;
so a part is asked no more than what holds in any context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from minits.diagnostics import CompileError, Faults, with_faults_of
from minits.frontend.values.assigned_names import assigned_names, target_names
from minits.frontend.values.error_value import ErrorValue
from minits.frontend.values.narrowing import refine
from minits.frontend.values.simple_value import as_simple
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter
    from minits.frontend.values.environment import Environment


def with_parts(
    emitter: Emitter, fault: CompileError, *parts: tree.expr | None, unknown: Iterable[str] = ()
) -> CompileError:
    """Return an error with the faults of parts that were not emitted; raise it `from None`.

    unknown: the variables of which the part that failed would have told something.
    """
    return with_faults_of(fault, lambda: emit_alone(emitter, parts, unknown))


def with_arguments(emitter: Emitter, fault: CompileError, call: tree.Call) -> CompileError:
    """Return an error with the faults of a call's arguments, none of which was emitted."""
    keywords = (keyword.value for keyword in call.keywords)
    return with_parts(emitter, fault, *call.args, *keywords)


def with_targets(
    emitter: Emitter, fault: CompileError, targets: Sequence[tree.expr]
) -> CompileError:
    """Return an error with those of what assignment targets name: containers, indices, objects."""
    places = [place for target in targets for place in places_in(target)]
    return with_parts(emitter, fault, *places, unknown=target_names(targets))


def places_in(target: tree.expr) -> list[tree.expr]:
    """Return the expressions that are evaluated to assign to a target: `x` and `i` of `x[i]`."""
    match target:
        case tree.Subscript(value=base, slice=index):
            return [base, index]
        case tree.Attribute(value=base):
            return [base]
        case tree.Starred(value=value):
            return places_in(value)
        case tree.Tuple(elts=items) | tree.List(elts=items):
            return [place for item in items for place in places_in(item)]
    return []


def emit_alone(
    emitter: Emitter, parts: Iterable[tree.expr | None], unknown: Iterable[str] = ()
) -> None:
    """Emit parts of which nothing is known but their text. Raises `CompileError` with all faults.

    unknown: as in `with_parts`.
    """
    steps = [partial(_emit, emitter, part) for part in parts if part is not None]
    emit_unused(emitter, steps, unknown)


def emit_unused(
    emitter: Emitter, steps: Iterable[Callable[[], object]], unknown: Iterable[str] = ()
) -> None:
    """Run steps that emit into a block that nothing uses. Raises `CompileError` with all faults.

    unknown: as in `with_parts`.
    """
    faults, unknown = Faults(), list(unknown)
    with unused_block(emitter, unknown) as environment:
        for step in steps:
            with faults.gathered():
                step()
    forget_within(emitter.environment, environment, unknown)
    faults.raise_all()


@contextmanager
def unused_block(emitter: Emitter, unknown: Iterable[str] = ()) -> Iterator[Environment]:
    """Emit into a block that nothing uses, with error values for the `unknown` variables."""
    condition = emitter.graph.emit("prim::Uninitialized", [], [t.BOOL]).output
    block = emitter.graph.emit("prim::If", [condition], []).add_block()
    with emitter.block_environment(block) as environment:
        environment.values.update((name, ErrorValue()) for name in unknown)
        yield environment


def forget_within(outer: Environment, inner: Environment, unknown: Iterable[str] = ()) -> None:
    """Give error values to the variables that only an unused block has assigned.

    unknown: those that it began with.
    """
    for name in {*inner.types, *inner.values}.difference(unknown):
        if not outer.has(name):
            outer.values[name] = ErrorValue()


@contextmanager
def block_where(
    emitter: Emitter, test: tree.expr, truth: bool, unknown: Iterable[str] = ()
) -> Iterator[None]:
    """Emit into an unused block with what is known where a test is true, or false.

    test: one that failed. unknown: further variables of which nothing is known.
    """
    with unused_block(emitter, (*unknown, *names_told_of(emitter, test))):
        refine_where(emitter, test, truth)
        yield


def may_be(emitter: Emitter, test: tree.expr, truth: bool) -> bool:
    """Return whether a test that failed may be true, or false, whatever the part that failed is."""
    known = emitter.failed_conditions.get(test)
    return known is None or known.truth in (None, truth)


def refine_where(emitter: Emitter, test: tree.expr, truth: bool) -> None:
    """Refine variables by what a test that failed tells even so, where it is true, or false."""
    known = emitter.failed_conditions.get(test)
    if known is not None:
        with suppress(CompileError):
            refine(emitter, origin(test), known.told(truth))


def _emit(emitter: Emitter, part: tree.expr) -> None:
    match part:
        case tree.Constant() | tree.Lambda():
            return
        case tree.Tuple(elts=items) | tree.List(elts=items):
            emit_alone(emitter, items)
        case tree.Dict(keys=keys, values=values):
            emit_alone(emitter, (*keys, *values))
        case tree.Slice(lower=lower, upper=upper, step=step):
            emit_alone(emitter, (lower, upper, step))
        case tree.BinOp(left=left, op="|", right=right):
            emit_alone(emitter, (left, right))
        case tree.Starred(value=value):
            _emit(emitter, value)
        case tree.Call(func=tree.Attribute(value=value, attr="tolist"), args=args):
            emit_alone(emitter, (value, *args))
        case tree.IfExp():
            _emit_choice(emitter, part)
        case tree.Subscript(value=base, slice=index):
            _emit_item(emitter, part, base, index)
        case _:
            emitter.emit_sugared(part)


def _emit_item(emitter: Emitter, part: tree.expr, base: tree.expr, index: tree.expr) -> None:
    """Emit `base[index]`, which may be a type."""
    try:
        found = emitter.emit_sugared(base)
        is_value = as_simple(found) is not None
    except CompileError as fault:
        raise with_parts(emitter, fault, index) from None
    if is_value:
        emitter.emit_sugared(part)
    elif found.is_module or found.is_virtual:
        _emit(emitter, index)


def _emit_choice(emitter: Emitter, part: tree.IfExp) -> None:
    try:
        condition = emitter.emit_condition(part.test)
    except CompileError as fault:
        raise with_alternatives(emitter, fault, part, lambda each: _emit(emitter, each)) from None
    faults, told = Faults(), condition.refinements
    branches = ((part.body, True, told.when_true), (part.orelse, False, told.when_false))
    for branch, truth, refinements in branches:
        if condition.static in (None, truth):
            with faults.gathered(), unused_block(emitter):
                refine(emitter, origin(part.test), refinements)
                _emit(emitter, branch)
    faults.raise_all()


def with_alternatives(
    emitter: Emitter, fault: CompileError, node: tree.IfExp, emit: Callable[[tree.expr], object]
) -> CompileError:
    """Return the error of the test of `a if test else b` with those of `a` and `b`.

    emit: emits either of the two. One that is never evaluated, whatever the part of the test that
    failed may be, is not emitted.
    """

    def emit_alternatives() -> None:
        faults = Faults()
        for alternative, truth in ((node.body, True), (node.orelse, False)):
            if may_be(emitter, node.test, truth):
                with faults.gathered(), block_where(emitter, node.test, truth):
                    emit(alternative)
        faults.raise_all()

    return with_faults_of(fault, emit_alternatives)


def with_body(
    emitter: Emitter,
    fault: CompileError,
    generator: tree.comprehension,
    body: Callable[[], object],
) -> CompileError:
    """Return the error of a `for` of a comprehension with those of what is done for each item."""
    told = names_told_of(emitter, generator.iter)
    unknown = [*target_names([generator.target]), *told]
    return with_faults_of(fault, lambda: emit_unused(emitter, [body], unknown))


def names_told_of(emitter: Emitter, *heads: tree.Node) -> Iterator[str]:
    """Yield the variables of which a test tells something: those that stand there by themselves.

    Of `x` in `x.shape` only the extended dialect learns, and of `x` in `x.sum()` neither. What an
    assignment expression assigns is among them.
    """
    for head in heads:
        failed = emitter.failed_conditions.get(head) if isinstance(head, tree.expr) else None
        if failed is not None:
            yield from failed.unknown
            continue
        names = list(_names_in(head, emitter.dialect == "torch"))
        yield from (name for name in names if emitter.environment.has(name))
        yield from list(emitter.rules.untold(emitter.environment, names))
        yield from assigned_names(head)


def _names_in(head: tree.Node, are_bases_known: bool) -> Iterator[str]:
    """Yield the names in a test that are neither called, nor is a method of theirs.

    are_bases_known: whether `x` of `x.shape` is no such name.
    """
    parts = list(tree.walk(head))
    called = {id(part.func) for part in parts if isinstance(part, tree.Call)}
    bases = {
        id(part.value)
        for part in parts
        if isinstance(part, tree.Attribute) and (are_bases_known or id(part) in called)
    }
    for part in parts:
        if isinstance(part, tree.Name) and id(part) not in called | bases:
            yield part.id
