"""Peephole rewrites: nodes that their inputs' types, or exact identities, make superfluous.

Before:
    %none : NoneType = prim::Constant()
    %c : bool = aten::__isnot__(%x, %none)        # %x : Tensor
    %y : Tensor = prim::unchecked_cast(%x)
    %z : int = aten::mul(%n, %one)                # %n : int
After (every use of %y now uses %x, of %z %n):
    %c : bool = prim::Constant[value=1]()

Identities of floats are left alone unless they hold for NaN, infinities and -0.0: `x * 1.0` is `x`,
`x + 0.0` is not.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/peephole.cpp and peephole_non_tensor.cpp.
"""

from __future__ import annotations

from minits.ir.constants import insert_constant, to_python
from minits.ir.graph import Graph, Node, Value
from minits.types import types as t
from minits.types.subtyping import is_subtype, union_members


def simplify(graph: Graph) -> bool:
    """Return whether the graph changed."""
    changed = False
    for node in list(graph.all_nodes()):
        if len(node.outputs) != 1 or not node.output.uses:
            continue
        replacement = _replacement(node)
        if replacement is None or replacement is node.outputs[0]:
            continue
        node.output.replace_all_uses_with(replacement)
        changed = True
    return changed


def _replacement(node: Node) -> Value | None:
    """Return what a node's only result is equal to."""
    match node.kind:
        case "aten::__is__" | "aten::__isnot__":
            return _none_check(node)
        case "prim::unchecked_cast" | "aten::_unwrap_optional" | "prim::unchecked_unwrap_optional":
            return _superfluous_cast(node)
        case "prim::isinstance":
            return _instance_check(node)
        case "aten::__not__":
            return _double_negation(node)
        case "aten::add" | "aten::sub" | "aten::mul" if _is_scalar(node):
            return _identity(node)
        case "aten::Int" | "aten::Float" | "aten::Bool":
            return _superfluous_conversion(node)
    return None


def _none_check(node: Node) -> Value | None:
    states = [_is_none(value) for value in node.inputs]
    if None in states or not any(states):
        return None
    same = states[0] == states[1]
    with node.graph.inserting_at(node):
        return insert_constant(node.graph, same == (node.kind == "aten::__is__"))


def _is_none(value: Value) -> bool | None:
    if value.type == t.NONE or to_python(value) is None:
        return True
    return None if t.NONE in union_members(value.type) or value.type == t.ANY else False


def _superfluous_cast(node: Node) -> Value | None:
    value = node.inputs[0]
    return value if is_subtype(value.type, node.output.type) else None


def _instance_check(node: Node) -> Value | None:
    """True where every member of the value's type fits, False where none can."""
    value = node.inputs[0]
    if value.type == t.ANY:
        return None
    members, wanted = union_members(value.type), node["types"]
    fit = all(any(is_subtype(member, type) for type in wanted) for member in members)
    may_fit = any(
        is_subtype(member, type) or is_subtype(type, member)
        for member in members
        for type in wanted
    )
    if not fit and may_fit:
        return None
    with node.graph.inserting_at(node):
        return insert_constant(node.graph, fit)


def _double_negation(node: Node) -> Value | None:
    inner = node.inputs[0].node
    if inner.kind == "aten::__not__" and inner.inputs[0].type == t.BOOL:
        return inner.inputs[0]
    return None


def _is_scalar(node: Node) -> bool:
    return len(node.inputs) == 2 and all(
        value.type in (t.INT, t.FLOAT) for value in (*node.inputs, node.output)
    )


def _identity(node: Node) -> Value | None:
    left, right = node.inputs
    if node.output.type == t.INT:
        neutral = 1 if node.kind == "aten::mul" else 0
        if to_python(right) == neutral:
            return left
        return right if to_python(left) == neutral and node.kind != "aten::sub" else None
    if node.kind == "aten::mul" and to_python(right) == 1.0 and left.type == t.FLOAT:
        return left
    return None


def _superfluous_conversion(node: Node) -> Value | None:
    return node.inputs[0] if node.inputs[0].type == node.output.type else None
