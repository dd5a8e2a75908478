"""Conditions: what they refine, when they are known, and the branches they choose between.

A condition that is known while compiling (`x is None` for an `x` that cannot be None, a Final flag,
`torch.jit.is_scripting()`) compiles only the branch taken; the other may be wrong without harm.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitCondExpr`, `emitIfElseBlocks`, ...).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from minits.diagnostics import CompileError, error
from minits.frontend.calls.schema_matching import NamedValue
from minits.frontend.emit import type_tests
from minits.frontend.emit.refinement import Condition, Refinements, RefinementSet
from minits.frontend.extended import correlation, places, stored_conditions, truth, walrus
from minits.frontend.extended.known_arguments import known_truth
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.builtins import SpecialForm
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import as_simple
from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import between, origin
from minits.types import types as t
from minits.types.subtyping import is_subtype, unify, union_members, union_of
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter
    from minits.frontend.values.environment import Frame


def emit(emitter: Emitter, node: tree.expr) -> Condition:
    """Emit a condition."""
    known = known_truth(emitter, node)
    if known is not None:
        return _known(emitter, origin(node), known)
    match node:
        case tree.BoolOp(op=op, values=(*first, last)):
            left = first[0] if len(first) == 1 else _joined(op, first)
            return _short_circuit(emitter, between(node, node), op, left, last)
        case tree.UnaryOp(op="not", operand=operand):
            return _negate(emitter, origin(node), emit(emitter, operand))
        case tree.Compare(ops=(("is" | "is not") as op,), comparators=(right,)):
            return _identity(emitter, node, node.left, op, right)
        case tree.Compare(ops=("not in",), comparators=(right,)):
            contained = tree.Compare(node.range, node.left, ("in",), (right,))
            return _negate(emitter, origin(node), emit(emitter, contained))
        case tree.Compare(ops=ops) if len(ops) > 1:
            return emit(emitter, chained(walrus.evaluated_once(emitter, node)))
        case tree.NamedExpr():
            walrus.emit(emitter, node, None)
            return emit(emitter, node.target)
        case tree.Call(func=tree.Name(id=("isinstance" | "hasattr") as name)):
            return type_tests.emit(emitter, name, node)
        case tree.Call(func=callee) if not walrus.may_be_in(emitter, callee):
            form = emitter.emit_sugared(callee, 1)
            if isinstance(form, SpecialForm) and form.form == "isinstance":
                return type_tests.emit(emitter, "isinstance", node)
    if emitter.knowledge is not None:
        return _known_condition(emitter, node)
    return _value_condition(emitter, origin(node), emitter.emit_expression(node))


def _known_condition(emitter: Emitter, node: tree.expr) -> Condition:
    """Return a value as condition (extended dialect): a stored condition, or the value's truth."""
    stored = stored_conditions.find(emitter, node.id) if isinstance(node, tree.Name) else None
    if stored is not None:
        return stored
    value = emitter.emit_expression(node)
    return truth.emit(emitter, node, value) or _value_condition(emitter, origin(node), value)


def may_refine(node: tree.expr) -> bool:
    """Whether a condition may refine the type of a variable or place."""
    for part in tree.walk(node):
        match part:
            case (
                tree.Compare(ops=(("is" | "is not"),)) | tree.Call(func=tree.Name(id="isinstance"))
            ):
                return True
    return False


def _known(emitter: Emitter, range: SourceRange, truth: bool) -> Condition:
    return Condition(insert_constant(emitter.graph, truth, range=range), RefinementSet(), truth)


def _joined(op: str, values: Sequence[tree.expr]) -> tree.BoolOp:
    return tree.BoolOp(between(values[0], values[-1]), op, tuple(values))


def chained(node: tree.Compare) -> tree.BoolOp:
    """`a < b < c` is `a < b and b < c`: the middle operand is emitted twice, as torch does."""
    lefts = (node.left, *map(walrus.read_again, node.comparators))
    tests = tuple(
        tree.Compare(between(left, right), left, (op,), (right,))
        for left, op, right in zip(lefts, node.ops, node.comparators, strict=False)
    )
    return tree.BoolOp(node.range, "and", tests)


def _value_condition(emitter: Emitter, range: SourceRange, value: Value) -> Condition:
    """Return a condition without refinements; static for constants and `is_scripting()`."""
    tested = to_bool(emitter, range, value)
    static: bool | None = None
    if tested.node.kind == "aten::is_scripting":
        static = True
    elif tested.node.kind == "aten::has_torch_function":
        static = False
    constant = to_python(tested)
    if constant is not NOT_CONSTANT:
        static = bool(constant)
    return Condition(tested, RefinementSet(), static)


def to_bool(emitter: Emitter, range: SourceRange, value: Value) -> Value:
    """Emit `bool(value)`. Raises `CompileError` where the value has no truth."""
    cast = emitter.lookup("bool", range)
    try:
        tested = as_simple(cast.call(range, emitter, [NamedValue(value)], [], 0))
    except CompileError:
        tested = None
    if tested is not None and tested.type == t.BOOL:
        return tested
    if tested is not None:
        message = f"expected a bool expression for condition but found {tested.type.annotation}"
        raise error(range, "TS508", message, fix="let __bool__ return a bool")
    emitter.may_know_more = True
    fix = "test it with `is not None`" if isinstance(value.type, t.OptionalType) else None
    message = f"Could not cast value of type {value.type.annotation} to bool"
    raise error(range, "TS508", message, fix=fix)


def _negate(emitter: Emitter, range: SourceRange, condition: Condition) -> Condition:
    value = emit_builtin_call(emitter.graph, range, "aten::__not__", [condition.value])
    static = None if condition.static is None else not condition.static
    return Condition(value, condition.refinements.not_(), static)


# ---- is, is not --------------------------------------------------------------------------------


def _identity(
    emitter: Emitter, node: tree.expr, left: tree.expr, op: str, right: tree.expr
) -> Condition:
    graph, where = emitter.graph, origin(node)
    first, second = emitter.emit_expression(left), emitter.emit_expression(right)
    is_none = (_none_status(first), _none_status(second))
    if None not in is_none and True in is_none:
        return _known(emitter, where, (is_none[0] == is_none[1]) == (op == "is"))
    kind = "aten::__is__" if op == "is" else "aten::__isnot__"
    value = emit_builtin_call(graph, where, kind, [first, second])
    return Condition(value, _none_refinements(emitter, left, first, op, right, second))


def _none_status(value: Value) -> bool | None:
    """Whether a value is None: always (True), never (False) or perhaps (None)."""
    node = value.node
    if len(node.outputs) == 1 and value.type == t.NONE:
        return True
    if t.NONE in union_members(value.type):
        return True if node.kind == "prim::Constant" and not node.attributes else None
    return False


def _none_refinements(
    emitter: Emitter, left: tree.expr, first: Value, op: str, right: tree.expr, second: Value
) -> RefinementSet:
    """Return the refinements of `x is None` for a variable `x`, or a place (extended dialect)."""
    if _is_none(left) and not _is_none(right):
        left, first, right = right, second, left
    members = union_members(first.type)
    if t.NONE not in members or not _is_none(right):
        return RefinementSet()
    name = places.refined_name(emitter, left, first)
    if name is None:
        return RefinementSet()
    present = ((name, union_of(member for member in members if member != t.NONE)),)
    return RefinementSet((), present) if op == "is" else RefinementSet(present, ())


def _is_none(node: tree.expr) -> bool:
    return isinstance(node, tree.Constant) and node.value is None


# ---- and, or -----------------------------------------------------------------------------------


def _short_circuit(
    emitter: Emitter, range: SourceRange, op: str, left: tree.expr, right: tree.expr
) -> Condition:
    """`a and b` is `prim::If(a)` with `b` and False as its results."""
    first = emit(emitter, left)
    second: list[Condition] = []
    is_or = op == "or"

    def decided() -> Value:
        return insert_constant(emitter.graph, is_or, range=range)

    def undecided() -> Value:
        second.append(emit(emitter, right))
        return second[0].value

    branches = (decided, undecided) if is_or else (undecided, decided)
    value, frames = _choose(emitter, range, first, *branches)
    known = walrus.join(emitter, range, frames)
    refinements = walrus.combined(op, first.refinements, second[0].refinements, frames, known)
    return Condition(value, refinements, _static(is_or, first.static, second[0].static))


def _static(is_or: bool, first: bool | None, second: bool | None) -> bool | None:
    if is_or in (first, second):
        return is_or
    return None if None in (first, second) else not is_or


def emit_conditional(emitter: Emitter, node: tree.IfExp, hint: Type | None) -> Value:
    """`a if c else b`."""
    condition = emit(emitter, node.test)
    if condition.static is not None:
        taken = node.body if condition.static else node.orelse
        return emitter.emit_expression(taken, hint)
    return emit_choice(
        emitter,
        origin(node),
        condition,
        lambda: emitter.emit_expression(node.body, hint),
        lambda: emitter.emit_expression(node.orelse, hint),
    )


def emit_choice(
    emitter: Emitter,
    range: SourceRange,
    condition: Condition,
    when_true: Callable[[], Value],
    when_false: Callable[[], Value],
) -> Value:
    """Emit a `prim::If` with one result."""
    value, frames = _choose(emitter, range, condition, when_true, when_false)
    walrus.join(emitter, range, frames)
    return value


def _choose(
    emitter: Emitter,
    range: SourceRange,
    condition: Condition,
    when_true: Callable[[], Value],
    when_false: Callable[[], Value],
) -> tuple[Value, list[Frame]]:
    """Return the result, and the frames of the two blocks."""
    node = emitter.graph.emit("prim::If", [condition.value], [], range)
    refinements = condition.refinements
    frames = []
    for value_of, known in (
        (when_true, refinements.when_true),
        (when_false, refinements.when_false),
    ):
        block = node.add_block()
        with emitter.block_frame(block) as frame:
            refine(emitter, range, known)
            block.add_output(value_of())
        frames.append(frame)
    types = [block.outputs[0].type for block in node.blocks]
    unified = unify(types[0], types[1])
    if unified is None:
        raise error(
            range,
            "TS509",
            f"the value is {types[0].annotation} when the condition holds and "
            f"{types[1].annotation} when it does not",
            fix="make both values one type",
        )
    return node.add_output(unified), frames


def refine(emitter: Emitter, range: SourceRange, refinements: Refinements) -> None:
    """Give variables the types that the condition proved."""
    for name, type in refinements:
        if name.startswith("$"):
            places.refine(emitter, name[1:], type)
            continue
        if name.startswith("="):
            correlation.prove(emitter, name[1:])
            continue
        if not emitter.frame.has(name):
            if emitter.dialect == "extended":
                continue  # an operand assigned it that may not have run
            raise emitter.undefined(name, range)  # the branch before deleted it
        value = emitter.frame.get(name, range, emitter)
        if emitter.knowledge is not None and not _is_narrower(type, value.type):
            continue
        emitter.frame.narrow(range, name, SimpleValue(emitter.unchecked_cast(value, type)))


def _is_narrower(type: Type, than: Type) -> bool:
    return type != than and is_subtype(type, than)
