"""Conditions: what they refine, when they are known, and the branches they choose between.

A condition that is known while compiling (`x is None` for an `x` that cannot be None, a Final flag,
`torch.jit.is_scripting()`) compiles only the branch taken; the other may be wrong without harm.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitCondExpr`, `emitIfElseBlocks`, ...).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from minits.diagnostics import CompileError, Faults, error
from minits.frontend.calls.schema_matching import NamedValue
from minits.frontend.emit import type_tests
from minits.frontend.emit.arguments import emit_callee
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.builtins import SpecialForm
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.environment import Environment
from minits.frontend.values.narrowing import refine
from minits.frontend.values.refinement import Condition, RefinementSet
from minits.frontend.values.simple_value import as_simple
from minits.frontend.values.when_failed import with_alternatives
from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import between, origin
from minits.types import types as t
from minits.types.subtyping import unify, union_members, union_of
from minits.types.types import Type


def emit(emitter: Emitter, node: tree.expr) -> Condition:
    """Emit a condition; see `Emitter.emit_condition`."""
    match node:
        case tree.BoolOp(op=op):
            operands = emit_operands(emitter, node)
            first, second = operands.first.refinements, operands.second.refinements
            return combined(op, operands, first, second)
        case tree.UnaryOp(op="not", operand=operand):
            return _negate(emitter, origin(node), emitter.emit_condition(operand))
        case tree.Compare(ops=(("is" | "is not") as op,), comparators=(right,)):
            return _identity(emitter, node, node.left, op, right)
        case tree.Compare(ops=("not in",), comparators=(right,)):
            contained = tree.Compare(node.range, node.left, ("in",), (right,))
            return _negate(emitter, origin(node), emitter.emit_condition(contained))
        case tree.Compare(ops=ops) if len(ops) > 1:
            return emitter.emit_condition(chained(node, (node.left, *node.comparators)))
        case tree.Call(func=tree.Name(id=("isinstance" | "hasattr") as name)):
            return type_tests.emit(emitter, name, node)
        case tree.Call():
            form = emit_callee(emitter, node)
            if isinstance(form, SpecialForm) and form.form == "isinstance":
                return type_tests.emit(emitter, "isinstance", node)
    return emit_truth(emitter, node)


def emit_truth(emitter: Emitter, node: tree.expr) -> Condition:
    """Emit a value whose truth is the condition."""
    value = emitter.emit_expression(node)
    truth = emitter.rules.truth(emitter, node, value)
    return _value_condition(emitter, origin(node), value) if truth is None else truth


def known(emitter: Emitter, loc: SourceRange, truth: bool) -> Condition:
    """Return a condition that is known while compiling."""
    return Condition(insert_constant(emitter.graph, truth, loc=loc), RefinementSet(), truth)


def _joined(op: str, values: Sequence[tree.expr]) -> tree.BoolOp:
    return tree.BoolOp(between(values[0], values[-1]), op, tuple(values))


def chained(node: tree.Compare, lefts: Sequence[tree.expr]) -> tree.BoolOp:
    """`a < b < c` is `a < b and b < c`: the middle operand is emitted twice, as torch does.

    lefts: the left sides of the comparisons, `a` and `b`.
    """
    tests = tuple(
        tree.Compare(between(left, right), left, (op,), (right,))
        for left, op, right in zip(lefts, node.ops, node.comparators, strict=False)
    )
    return tree.BoolOp(node.range, "and", tests)


def _value_condition(emitter: Emitter, loc: SourceRange, value: Value) -> Condition:
    """Return a condition without refinements; static for constants and `is_scripting()`."""
    tested = to_bool(emitter, loc, value)
    static: bool | None = None
    if tested.node.kind == "aten::is_scripting":
        static = True
    elif tested.node.kind == "aten::has_torch_function":
        static = False
    constant = to_python(tested)
    if constant is not NOT_CONSTANT:
        static = bool(constant)
    return Condition(tested, RefinementSet(), static)


def to_bool(emitter: Emitter, loc: SourceRange, value: Value) -> Value:
    """Emit `bool(value)`. Raises `CompileError` where the value has no truth."""
    cast = emitter.lookup("bool", loc)
    try:
        tested = as_simple(cast.call(loc, emitter, [NamedValue(value)], [], 0))
    except CompileError:
        tested = None
    if tested is not None and tested.type == t.BOOL:
        return tested
    if tested is not None:
        message = f"expected a bool expression for condition but found {tested.type.annotation}"
        raise error(loc, "TS508", message, fix="let __bool__ return a bool")
    emitter.rules.might_accept = True
    fix = "compare it with something: conditions are bools, numbers and tensors of one element"
    if isinstance(value.type, t.OptionalType):
        fix = "test it with `is not None`"
    elif isinstance(value.type, (t.ListType, t.DictType, t.TupleType)) or value.type == t.STR:
        fix = "test its length: len(...) > 0"
    message = f"Could not cast value of type {value.type.annotation} to bool"
    raise error(loc, "TS508", message, fix=fix)


def _negate(emitter: Emitter, loc: SourceRange, condition: Condition) -> Condition:
    value = emit_builtin_call(emitter.graph, loc, "aten::__not__", [condition.value])
    static = None if condition.static is None else not condition.static
    return Condition(value, condition.refinements.not_(), static)


# ---- is, is not --------------------------------------------------------------------------------


def _identity(
    emitter: Emitter, node: tree.expr, left: tree.expr, op: str, right: tree.expr
) -> Condition:
    graph, loc = emitter.graph, origin(node)
    first, second = emitter.emit_each(left, right)
    is_none = (_none_status(first), _none_status(second))
    if None not in is_none and True in is_none:
        return known(emitter, loc, (is_none[0] == is_none[1]) == (op == "is"))
    kind = "aten::__is__" if op == "is" else "aten::__isnot__"
    value = emit_builtin_call(graph, loc, kind, [first, second])
    return Condition(value, _none_refinements(emitter, left, first, op, right, second))


def _none_status(value: Value) -> bool | None:
    """Return whether a value is None: always (True), never (False) or perhaps (None)."""
    node = value.node
    if len(node.outputs) == 1 and value.type == t.NONE:
        return True
    if t.NONE in union_members(value.type):
        return True if node.kind == "prim::Constant" and not node.attributes else None
    return False


def _none_refinements(
    emitter: Emitter, left: tree.expr, first: Value, op: str, right: tree.expr, second: Value
) -> RefinementSet:
    """Return the refinements of `x is None` for an `x` that can be refined: a variable."""
    if _is_none(left) and not _is_none(right):
        left, first, right = right, second, left
    members = union_members(first.type)
    if t.NONE not in members or not _is_none(right):
        return RefinementSet()
    key = emitter.rules.target(emitter, left, first)
    if key is None:
        return RefinementSet()
    present = ((key, union_of(member for member in members if member != t.NONE)),)
    return RefinementSet((), present) if op == "is" else RefinementSet(present, ())


def _is_none(node: tree.expr) -> bool:
    return isinstance(node, tree.Constant) and node.value is None


# ---- and, or -----------------------------------------------------------------------------------


class Operands(NamedTuple):
    """`first and second`, or `or`: its value, and the environments of the blocks of the choice."""

    value: Value
    first: Condition
    second: Condition
    environments: list[Environment]


def combined(op: str, operands: Operands, first: RefinementSet, second: RefinementSet) -> Condition:
    """Return the condition of `and` or `or`, given what its operands refine."""
    is_or = op == "or"
    refinements = first.or_(second) if is_or else first.and_(second)
    static = _static(is_or, operands.first.static, operands.second.static)
    return Condition(operands.value, refinements, static)


def emit_operands(emitter: Emitter, node: tree.BoolOp) -> Operands:
    """Emit `a and b`, a `prim::If(a)` with `b` and False as its results; or the like of `or`."""
    *begin, right = node.values
    left = begin[0] if len(begin) == 1 else _joined(node.op, begin)
    loc = between(node, node)
    if len(begin) == 1:
        first = emitter.emit_condition(left)
    else:  # a chain is as deep as it is long
        first = emitter.visitor.condition(emitter, left)
    second: list[Condition] = []
    is_or = node.op == "or"

    def decided() -> Value:
        return insert_constant(emitter.graph, is_or, loc=loc)

    def undecided() -> Value:
        second.append(emitter.emit_condition(right))
        return second[0].value

    branches = (decided, undecided) if is_or else (undecided, decided)
    value, environments = choose(emitter, loc, first, *branches)
    return Operands(value, first, second[0], environments)


def _static(is_or: bool, first: bool | None, second: bool | None) -> bool | None:
    if is_or in (first, second):
        return is_or
    return None if None in (first, second) else not is_or


def emit_conditional(emitter: Emitter, node: tree.IfExp, hint: Type | None) -> Value:
    """`a if c else b`."""
    return emit_alternatives(emitter, node, hint)[0]


def emit_alternatives(
    emitter: Emitter, node: tree.IfExp, hint: Type | None
) -> tuple[Value, list[Environment]]:
    """Emit `a if c else b`; return the result, and the environments of its blocks, if any.

    Raises `CompileError` with the faults of all parts.
    """

    def emit_alternative(alternative: tree.expr) -> Value:
        return emitter.emit_expression(alternative, hint)

    try:
        condition = emitter.emit_condition(node.test)
    except CompileError as fault:
        raise with_alternatives(emitter, fault, node, emit_alternative) from None
    if condition.static is not None:
        return emit_alternative(node.body if condition.static else node.orelse), []
    return choose(
        emitter,
        origin(node),
        condition,
        lambda: emit_alternative(node.body),
        lambda: emit_alternative(node.orelse),
    )


def emit_choice(
    emitter: Emitter,
    loc: SourceRange,
    condition: Condition,
    when_true: Callable[[], Value],
    when_false: Callable[[], Value],
) -> Value:
    """Emit a `prim::If` with one result."""
    return choose(emitter, loc, condition, when_true, when_false)[0]


def choose(
    emitter: Emitter,
    loc: SourceRange,
    condition: Condition,
    when_true: Callable[[], Value],
    when_false: Callable[[], Value],
) -> tuple[Value, list[Environment]]:
    """Emit a `prim::If` with one result; return the result, and its blocks' environments.

    Raises `CompileError` with the faults of both.
    """
    node = emitter.graph.emit("prim::If", [condition.value], [], loc)
    refinements = condition.refinements
    environments = []
    faults = Faults()
    for value_of, known in (
        (when_true, refinements.when_true),
        (when_false, refinements.when_false),
    ):
        block = node.add_block()
        try:
            with emitter.block_environment(block) as environment:
                refine(emitter, loc, known)
                block.add_output(value_of())
        except CompileError as fault:
            faults.add(fault)
        environments.append(environment)
    faults.raise_all()
    types = [block.outputs[0].type for block in node.blocks]
    unified = unify(types[0], types[1])
    if unified is None:
        raise error(
            loc,
            "TS509",
            f"the value is {types[0].annotation} when the condition holds and "
            f"{types[1].annotation} when it does not",
            fix="make both values one type",
        )
    return node.add_output(unified), environments
