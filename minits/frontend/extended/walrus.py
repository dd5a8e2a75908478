"""Assignment expressions, `(n := f(x)) > 0`: extended dialect only.

The assignment is emitted where the expression is evaluated, so that the order is Python's. In the
operands of `and`, `or` and conditional expressions, which may not be evaluated, it is an assignment
in a branch: a variable that was defined before has one value or the other after it. One that was
not is known where it must have been assigned:

    if a and (n := f(x)) > 0:         if a:
        y = n                             $n = n = f(x)
                                          c = n > 0
                             is       else:
                                          $n = <anything>
                                          c = False
                                      if c:         # so that a was true
                                          n = $n
                                          y = n
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from minits.diagnostics import CompileError, Note, error
from minits.frontend.emit.refinement import Refinements, RefinementSet
from minits.frontend.extended import correlation, stored_conditions
from minits.frontend.values.sugared_value import SugaredValue
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.subtyping import unify
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter
    from minits.frontend.values.environment import Frame


def is_in(node: tree.expr) -> bool:
    """Whether evaluating an expression may assign variables."""
    return any(isinstance(part, tree.NamedExpr) for part in tree.walk(node))


def may_be_in(emitter: Emitter, node: tree.expr) -> bool:
    """As `is_in`, but False at once in the torch dialect, whose fence has refused all of them."""
    return emitter.dialect != "torch" and is_in(node)


def emit(emitter: Emitter, node: tree.NamedExpr, hint: Type | None) -> SugaredValue:
    """Emit an assignment expression; its value is the one that is assigned."""
    assert isinstance(node.target, tree.Name)
    name, frame = node.target.id, emitter.frame
    value, condition = stored_conditions.emit_assigned(emitter, node.value, hint)
    frame.set(origin(node.target), name, value)
    frame.assigned.add(name)
    if condition is not None:
        stored_conditions.keep(emitter, name, condition)
    return emitter.lookup(name, origin(node.target))


def evaluated_once(emitter: Emitter, node: tree.Compare) -> tree.Compare:
    """Keep the operands in the middle of `a < b < c`, which torch emits twice, in variables.

    Those that assign nothing stay as they are.
    """
    return tree.replaced(
        node, comparators=tuple(kept(c) if may_be_in(emitter, c) else c for c in node.comparators)
    )


def kept(node: tree.expr) -> tree.expr:
    """Return the assignment of an operand, which torch emits twice, to a variable of its own."""
    where = node.range
    return tree.NamedExpr(where, tree.Name(where, f"$middle{where.start}"), node)


def read_again(node: tree.expr) -> tree.expr:
    """Return the expression to read an evaluated operand again: of `(n := e)` the variable."""
    return node.target if isinstance(node, tree.NamedExpr) else node


# ---- Operands that may not be evaluated --------------------------------------------------------


def join(emitter: Emitter, range: SourceRange, frames: Sequence[Frame]) -> Refinements:
    """Merge the variables that operands assign, after a choice between two operands.

    Return a refinement that holds where the assigning operand was evaluated.
    """
    if emitter.dialect == "torch":
        return ()
    correlation.fill(emitter, frames)
    evaluated = f"evaluated {emitter.temporary('#')}"
    for name in sorted(frames[0].assigned | frames[1].assigned):
        types = [frame.type_of(name) for frame in frames]
        if types[0] is not None and types[1] is not None:
            _merge(emitter, range, name, types[0], types[1])
            continue
        emitter.frame.faults[name] = _may_not_be_assigned(range, name)
        branch = 0 if types[1] is None else 1
        correlation.pass_on(emitter, frames, name, branch, frozenset({(evaluated, True)}))
    return ((f"={evaluated}", t.BOOL),)


def _merge(emitter: Emitter, range: SourceRange, name: str, first: Type, second: Type) -> None:
    is_known = emitter.frame.type_of(name) is not None
    merged = unify(first, second, default_to_union=is_known)
    if merged is None:
        message = f"Type mismatch: {name} is {first.annotation} or {second.annotation}"
        raise error(range, "TS511", message, fix="use two names")
    emitter.frame.types[name] = merged
    emitter.frame.assigned.add(name)


def _may_not_be_assigned(range: SourceRange, name: str) -> Callable[[SourceRange], CompileError]:
    def fault(use: SourceRange) -> CompileError:
        return error(
            range,
            "TS510",
            f"{name} is assigned in an operand that may not be evaluated",
            notes=[Note("it is used here", use)],
            fix=f"assign '{name}' on a line before",
        )

    return fault


def combined(
    op: str,
    first: RefinementSet,
    second: RefinementSet,
    frames: Sequence[Frame],
    known: Refinements,
) -> RefinementSet:
    """Return the refinements of `first and second`, or `or`, where operands assign variables."""
    assigned = frames[0].assigned | frames[1].assigned
    if assigned:
        evaluated = frames[1 if op == "or" else 0]
        types = {
            name: type
            for name in sorted(assigned)
            if (type := evaluated.type_of(name)) is not None and type != _outside(evaluated, name)
        }
        first = RefinementSet(*(_without(assigned, side) for side in _sides(first)))
        second = RefinementSet(*(_with(known, types, side) for side in _sides(second)))
    return first.or_(second) if op == "or" else first.and_(second)


def _outside(frame: Frame, name: str) -> Type | None:
    return None if frame.parent is None else frame.parent.type_of(name)


def _sides(refinements: RefinementSet) -> tuple[Refinements, Refinements]:
    return refinements.when_true, refinements.when_false


def _without(assigned: set[str], side: Refinements) -> Refinements:
    return tuple((name, type) for name, type in side if name not in assigned)


def _with(known: Refinements, types: Mapping[str, Type], side: Refinements) -> Refinements:
    """Add to `side` the refinements known after the operand, and the types that it assigned."""
    told = {name for name, _ in side}
    new = [(name, type) for name, type in types.items() if name not in told]
    return (*known, *new, *side)
