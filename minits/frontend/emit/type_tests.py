"""`isinstance` and `hasattr`: known while compiling where the types decide.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitIsInstance`, `emitHasAttr`).
"""

from __future__ import annotations

from minits.diagnostics import CompileError, Faults, error, with_faults_of
from minits.frontend.values.argument_count import check_count
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.refinement import Condition, Key, Refinements, RefinementSet
from minits.frontend.values.when_failed import with_parts
from minits.ir.constants import insert_constant
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.subtyping import is_subtype, unify, unify_all, union_members, union_order
from minits.types.types import Type


def emit(emitter: Emitter, name: str, call: tree.Call) -> Condition:
    """Emit a call of `isinstance` or `hasattr`."""
    check_count(emitter, call, name, 2)
    first, second = call.args
    if name == "hasattr":
        return _has_attribute(emitter, first, second)
    return _is_instance(emitter, first, second)


def _has_attribute(emitter: Emitter, node: tree.expr, name: tree.expr) -> Condition:
    if not (isinstance(name, tree.Constant) and isinstance(name.value, str)):
        message = "hasattr's second argument must be a string literal"
        fix = 'write the name in quotes: hasattr(x, "y")'
        wrong = error(origin(name), "TS405", message, fix=fix)
        raise with_parts(emitter, wrong, node)
    value = emitter.emit_sugared(node, 1)
    found = value.has_attr(origin(node), emitter, name.value)
    constant = insert_constant(emitter.graph, found, loc=origin(node))
    return Condition(constant, RefinementSet(), found)


def _is_instance(emitter: Emitter, node: tree.expr, classes: tree.expr) -> Condition:
    graph, loc = emitter.graph, origin(node)
    try:
        value = emitter.emit_expression(node)
    except CompileError as fault:
        raise with_faults_of(fault, lambda: _classes(emitter, classes)) from None
    wanted = union_order(_classes(emitter, classes))
    found, rest, always = _split(value.type, wanted)
    refinements = RefinementSet()
    key = emitter.rules.target(emitter, node, value)
    if key is not None:
        refinements = RefinementSet(_refined(key, found), _refined(key, rest))
    if always or not found:
        static = insert_constant(graph, always, loc=loc)
        return Condition(static, refinements, always)
    test = graph.emit("prim::isinstance", [value], [t.BOOL])
    test.set_attr("types", "tys", tuple(wanted))
    return Condition(test.output, refinements)


_NUMBERS: list[Type] = [t.FLOAT, t.COMPLEX, t.INT]


def _refined(key: Key, types: list[Type]) -> Refinements:
    unified = unify_all(types, default_to_union=True)
    if unified == t.NUMBER:  # torch never unwraps this union
        unified = t.UnionType((t.NUMBER,))
    return () if unified is None else ((key, unified),)


def _classes(emitter: Emitter, node: tree.expr) -> list[Type]:
    if isinstance(node, tree.Tuple):
        found: list[Type] = []
        faults = Faults()
        for item in node.elts:
            with faults.gathered():
                found += _classes(emitter, item)
        faults.raise_all()
        return found
    if isinstance(node, tree.Name) and node.id in ("list", "tuple"):
        return [t.ANY_LIST if node.id == "list" else t.ANY_TUPLE]
    return list(union_members(emitter.scope.type(node)))


def _split(type: Type, wanted: list[Type]) -> tuple[list[Type], list[Type], bool]:
    """Return the types that pass the test, those that fail it, and whether all pass."""
    found: list[Type] = []
    rest: list[Type] = []
    always = True
    for member in _NUMBERS if type == t.NUMBER else union_members(type):
        if member == t.ANY:
            found += wanted
            rest.append(t.ANY)
            always = always and found == [t.ANY]
            break
        narrowed = _narrow(member, wanted)
        if narrowed is None:
            rest.append(member)
            always = False
        else:
            found.append(narrowed)
            if narrowed != member and t.is_interface(member):  # torch: always of the class
                rest.append(member)
                always = False
    return _joined(found), _joined(rest), always


def _joined(types: list[Type]) -> list[Type]:
    """Return a Scalar for the three types that it stands for."""
    return [t.NUMBER] if types == _NUMBERS else types


def _narrow(member: Type, wanted: list[Type]) -> Type | None:
    narrowed: Type | None = None
    for candidate in wanted:
        if is_subtype(member, candidate):
            narrowed = member
        elif is_subtype(candidate, member):
            narrowed = candidate if narrowed is None else unify(narrowed, candidate)
    return narrowed
