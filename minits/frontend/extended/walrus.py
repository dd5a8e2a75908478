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

from collections.abc import Mapping, Sequence

from minits.diagnostics import CompileError, error, with_faults_of
from minits.frontend.emit import branches, conditions, expressions, loops
from minits.frontend.extended import correlated_branches, stored_conditions
from minits.frontend.extended.flow_facts import flow_state_of, reading_of
from minits.frontend.extended.keys import LiteralKey
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.environment import Environment, may_be_undefined
from minits.frontend.values.error_value import ErrorValue
from minits.frontend.values.refinement import Condition, Refinements, RefinementSet, VariableKey
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import between, origin
from minits.types import types as t
from minits.types.subtyping import unify
from minits.types.types import Type


def is_in(emitter: Emitter, node: tree.expr) -> bool:
    """Return whether evaluating an expression may assign variables."""
    reading = reading_of(emitter)
    if reading.may_have_walrus is None:  # most functions have none, and need no walks
        body = emitter.function.definition.body
        reading.may_have_walrus = any(":=" in statement.range.text for statement in body)
    is_walrus = (isinstance(part, tree.NamedExpr) for part in tree.walk(node))
    return reading.may_have_walrus and any(is_walrus)


def emit(
    emitter: Emitter, node: tree.NamedExpr, n_binders: int = 1, hint: Type | None = None
) -> SugaredValue:
    """Emit an assignment expression; its value is the one that is assigned.

    Raises `CompileError`.
    """
    assert isinstance(node.target, tree.Name)
    name, environment = node.target.id, emitter.environment
    try:
        value, condition = emitter.rules.emit_assigned(emitter, None, node.value, hint)
    except CompileError:
        environment.values[name] = ErrorValue()
        raise
    environment.set(origin(node.target), name, value)
    reading_of(emitter).assigned_in[environment].add(name)
    if condition is not None:
        stored_conditions.keep(emitter, name, condition)
    return emitter.lookup(name, origin(node.target))


def emit_condition(emitter: Emitter, node: tree.NamedExpr) -> Condition:
    """Emit an assignment expression as a condition: the variable's."""
    emit(emitter, node)
    return emitter.emit_condition(node.target)


def emit_call_condition(emitter: Emitter, node: tree.Call) -> Condition | None:
    """Emit a call as a condition whose callee assigns: torch's rules emit the callee twice."""
    return conditions.emit_truth(emitter, node) if is_in(emitter, node.func) else None


# ---- Operands that torch emits twice -----------------------------------------------------------


def emit_chain(emitter: Emitter, node: tree.Compare) -> Condition | None:
    """Emit `a < b < c` whose operands assign: those that do are kept in variables."""
    if len(node.ops) == 1 or not any(is_in(emitter, each) for each in node.comparators):
        return None
    comparators = tuple(_kept(each) if is_in(emitter, each) else each for each in node.comparators)
    once = tree.replaced(node, comparators=comparators)
    chain = conditions.chained(once, (node.left, *map(_read_again, comparators)))
    return emitter.emit_condition(chain)


def emit_modulo(
    emitter: Emitter, node: tree.BinOp, n_binders: int, hint: Type | None
) -> SugaredValue | None:
    """Emit `a % b` whose left side assigns. Raises `CompileError` with the faults of both."""
    if node.op != "%" or not is_in(emitter, node.left):
        return None
    kept = _kept(node.left)
    try:
        left = emitter.emit_expression(kept)
    except CompileError as fault:
        raise with_faults_of(fault, lambda: emitter.emit_expression(node.right)) from None
    again = tree.replaced(node, left=_read_again(kept))
    return SimpleValue(expressions.emit_modulo(emitter, again, left))


def _kept(node: tree.expr) -> tree.expr:
    """Return the assignment of an operand to a variable of its own."""
    loc = node.range
    return tree.NamedExpr(loc, tree.Name(loc, f"$middle{loc.start}"), node)


def _read_again(node: tree.expr) -> tree.expr:
    """Return the expression to read an evaluated operand again: of `(n := e)` the variable."""
    return node.target if isinstance(node, tree.NamedExpr) else node


# ---- Operands that may not be evaluated --------------------------------------------------------


def emit_operands(emitter: Emitter, node: tree.BoolOp) -> Condition | None:
    """Emit `and` or `or` whose operands assign."""
    if not is_in(emitter, node):
        return None
    operands = conditions.emit_operands(emitter, node)
    known = _join(emitter, between(node, node), operands.environments)
    first, second = operands.first.refinements, operands.second.refinements
    sides = _refinements(emitter, node.op, first, second, operands.environments, known)
    return conditions.combined(node.op, operands, *sides)


def emit_conditional(
    emitter: Emitter, node: tree.IfExp, n_binders: int, hint: Type | None
) -> SugaredValue | None:
    """Emit `a if c else b` whose operands assign."""
    if not is_in(emitter, node):
        return None
    value, environments = conditions.emit_alternatives(emitter, node, hint)
    if environments:
        _join(emitter, origin(node), environments)
    return SimpleValue(value)


def _join(emitter: Emitter, loc: SourceRange, environments: Sequence[Environment]) -> Refinements:
    """Merge the variables that operands assign, after a choice between two operands.

    Return a refinement that holds where the assigning operand was evaluated.
    """
    flow = flow_state_of(emitter)
    if flow is not None:
        correlated_branches.define_dummies(flow, emitter, environments)
    evaluated = f"evaluated {emitter.temporary('#')}"
    for name in sorted(_assigned(emitter, environments)):
        types = [environment.type_of(name) for environment in environments]
        if types[0] is not None and types[1] is not None:
            _merge(emitter, loc, name, types[0], types[1])
            continue
        emitter.environment.faults[name] = may_be_undefined(
            loc,
            f"{name} is assigned in an operand that may not be evaluated",
            fix=f"assign '{name}' on a line before",
        )
        if flow is not None:
            branch, needs = 0 if types[1] is None else 1, frozenset({(evaluated, True)})
            correlated_branches.export(flow, emitter, environments, name, branch, needs)
    return ((LiteralKey(evaluated), t.BOOL),)


def _assigned(emitter: Emitter, environments: Sequence[Environment]) -> set[str]:
    assigned_in = reading_of(emitter).assigned_in
    return assigned_in[environments[0]] | assigned_in[environments[1]]


def _merge(emitter: Emitter, loc: SourceRange, name: str, first: Type, second: Type) -> None:
    is_known = emitter.environment.type_of(name) is not None
    merged = unify(first, second, default_to_union=is_known)
    if merged is None:
        message = f"Type mismatch: {name} is {first.annotation} or {second.annotation}"
        raise error(loc, "TS511", message, fix="use two names")
    emitter.environment.types[name] = merged
    reading_of(emitter).assigned_in[emitter.environment].add(name)


def _refinements(
    emitter: Emitter,
    op: str,
    first: RefinementSet,
    second: RefinementSet,
    environments: Sequence[Environment],
    known: Refinements,
) -> tuple[RefinementSet, RefinementSet]:
    """Return the refinements by the operands of `and` or `or`, where they assign variables."""
    assigned = _assigned(emitter, environments)
    if not assigned:
        return first, second
    evaluated = environments[1 if op == "or" else 0]
    types = {
        name: type
        for name in sorted(assigned)
        if (type := evaluated.type_of(name)) is not None and type != _outside(evaluated, name)
    }
    return (
        RefinementSet(*(_without(assigned, side) for side in _sides(first))),
        RefinementSet(*(_with(known, types, side) for side in _sides(second))),
    )


def _outside(environment: Environment, name: str) -> Type | None:
    return None if environment.parent is None else environment.parent.type_of(name)


def _sides(refinements: RefinementSet) -> tuple[Refinements, Refinements]:
    return refinements.when_true, refinements.when_false


def _without(assigned: set[str], side: Refinements) -> Refinements:
    return tuple(
        (key, type)
        for key, type in side
        if not (isinstance(key, VariableKey) and key.name in assigned)
    )


def _with(known: Refinements, types: Mapping[str, Type], side: Refinements) -> Refinements:
    """Add to `side` the refinements known after the operand, and the types that it assigned."""
    told = {key for key, _ in side}
    given = ((VariableKey(name), type) for name, type in types.items())
    return (*known, *(each for each in given if each[0] not in told), *side)


# ---- Loops -------------------------------------------------------------------------------------


def emit_while(emitter: Emitter, statement: tree.While) -> bool:
    """`while test: body`, whose test assigns, is `while True: if test: body` `else: break`.

    What the test assigns first is also defined after the loop: it is evaluated at least once.
    Returns False for any other loop.
    """
    if not is_in(emitter, statement.test):
        return False
    loc, graph, outer = origin(statement), emitter.graph, emitter.environment
    first: dict[str, Type] = {}

    def body() -> None:
        condition = emitter.emit_condition(statement.test)
        named = reading_of(emitter).assigned_in[emitter.environment]
        assigned = sorted(name for name in named if not outer.has(name))
        first.update((name, emitter.environment.types[name]) for name in assigned)
        jump = (tree.Break(statement.range),)
        branches.emit_branches(emitter, loc, condition, statement.body, jump, statement.test)

    before = graph.emit("prim::Constant", [], [t.NONE], loc)
    always = tree.Constant(loc, True, None)
    loops.emit_loop(
        emitter,
        loc,
        statement,
        body,
        condition=lambda: loops.emit_loop_condition(emitter, always),
    )
    for name, type in first.items():
        with graph.inserting_at(before):
            nothing = graph.emit("prim::Uninitialized", [], [type]).output
            graph.emit("prim::Store", [nothing], []).set_attr("name", "s", name)
        outer.types[name] = type
    return True
