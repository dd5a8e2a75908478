"""The truth of Optionals, tuples, enums and objects in conditions: extended dialect only.

    if x:           is        if x is not None and bool(x):

None is false, and any other value is what it is in Python: a tuple by its length, an object by its
`__bool__`, its `__len__`, or true; numbers, tensors, strings, lists and dicts have a truth in torch
already. The test refines `x` where it is true.
"""

from __future__ import annotations

from minits.frontend.emit import conditions
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.refinement import Condition, RefinementSet
from minits.frontend.values.simple_value import MethodValue
from minits.ir.constants import insert_constant
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.subtyping import union_members, union_of


def emit(emitter: Emitter, node: tree.expr, value: Value) -> Condition | None:
    """Emit the truth of a value that torch's rules do not convert; None for any other value."""
    graph, loc = emitter.graph, origin(node)
    if value.type == t.NONE:
        return Condition(insert_constant(graph, False, loc=loc), static=False)
    members = [member for member in union_members(value.type) if member != t.NONE]
    if t.NONE not in union_members(value.type):
        truth = _beyond_torch(emitter, loc, value)
        return None if truth is None else Condition(truth)
    inner = union_of(members)
    key = emitter.rules.target(emitter, node, value)
    refinements = RefinementSet(() if key is None else ((key, inner),))
    none = insert_constant(graph, None, loc=loc)
    given = emit_builtin_call(graph, loc, "aten::__isnot__", [value, none])
    truth = conditions.emit_choice(
        emitter,
        loc,
        Condition(given),
        lambda: _truth(emitter, loc, emitter.unchecked_cast(value, inner)),
        lambda: insert_constant(graph, False, loc=loc),
    )
    return Condition(truth, refinements)


def _truth(emitter: Emitter, loc: SourceRange, value: Value) -> Value:
    truth = _beyond_torch(emitter, loc, value)
    return conditions.to_bool(emitter, loc, value) if truth is None else truth


def _beyond_torch(emitter: Emitter, loc: SourceRange, value: Value) -> Value | None:
    graph = emitter.graph
    match value.type:
        case t.TupleType(elements=elements):
            return insert_constant(graph, bool(elements), loc=loc)
        case t.EnumType():
            return insert_constant(graph, True, loc=loc)
        case t.ClassType(methods=methods) if "__bool__" not in methods:
            if "__len__" not in methods:
                return insert_constant(graph, True, loc=loc)
            called = MethodValue(value, ("__len__",)).call(loc, emitter, [], [])
            length = called.as_value(loc, emitter)
            zero = emitter.literal(0, loc)
            return emit_builtin_call(graph, loc, "aten::ne", [length, zero])
    return None
