"""Peephole rewrites: nodes that their inputs' types, or exact identities, make superfluous.

Before:
    %none : NoneType = prim::Constant()
    %c : bool = aten::__isnot__(%x, %none)        # %x : Tensor
    %y : Tensor = prim::unchecked_cast(%x)
    %z : int = aten::mul(%n, %one)                # %n : int
    %b : bool = prim::If(%d)
      block0():
        -> (%true)
      block1():
        -> (%false)
After (every use of %y now uses %x, of %z %n, of %b %d; of any other None a constant):
    %c : bool = prim::Constant[value=1]()

Identities of floats are left alone unless they hold for NaN, infinities and -0.0: `x * 1.0` is `x`,
`x + 0.0` is not.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/peephole.cpp and peephole_non_tensor.cpp.
"""

from __future__ import annotations

from minits.ir.constants import insert_constant, to_python
from minits.ir.graph import Graph, Node, Value
from minits.passes.sizes_as_numbers import is_only_read
from minits.types import types as t
from minits.types.subtyping import is_subtype, union_members


def simplify(graph: Graph) -> bool:
    """Return whether the graph changed."""
    changed = False
    for node in list(graph.all_nodes()):
        for output in node.outputs:
            replacement = _replacement(node, output) if output.uses else None
            if replacement is not None and replacement is not output:
                output.replace_all_uses_with(replacement)
                changed = True
    return changed


def _replacement(node: Node, output: Value) -> Value | None:
    """Return the value that a node's result is equal to."""
    if output.type == t.NONE and node.kind != "prim::Constant":
        with node.graph.inserting_at(node):
            return insert_constant(node.graph, None)
    if node.kind == "prim::If":
        return _condition_itself(node, node.outputs.index(output))
    return _equal_value(node) if len(node.outputs) == 1 else None


def _condition_itself(node: Node, index: int) -> Value | None:
    """`True if c else False` is `c`."""
    when_true, when_false = (to_python(block.outputs[index]) for block in node.blocks)
    return node.inputs[0] if when_true is True and when_false is False else None


def _equal_value(node: Node) -> Value | None:
    match node.kind:
        case "aten::__is__" | "aten::__isnot__":
            return _none_check(node)
        case "prim::unchecked_cast" | "aten::_unwrap_optional" | "prim::unchecked_unwrap_optional":
            return _superfluous_cast(node)
        case "prim::isinstance":
            return _instance_check(node)
        case "aten::__not__":
            return _double_negation(node)
        case "aten::eq" | "aten::ne" if len(node.inputs) == 2:  # three with `out=`
            return _comparison_with_itself(node)
        case "aten::add" | "aten::sub" | "aten::mul" if _is_scalar(node):
            return _identity(node)
        case "aten::floordiv" if _is_scalar(node) and node.output.type == t.INT:
            return node.inputs[0] if to_python(node.inputs[1]) == 1 else None
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


def _comparison_with_itself(node: Node) -> Value | None:
    """`n == n` is True of ints and bools. Not of floats, as torch has it: NaN is not itself."""
    left, right = node.inputs
    type = left.type.element if isinstance(left.type, t.ListType) else left.type
    if left is not right or type not in (t.INT, t.BOOL):
        return None
    with node.graph.inserting_at(node):
        return insert_constant(node.graph, node.kind == "aten::eq")


def _is_scalar(node: Node) -> bool:
    return len(node.inputs) == 2 and all(
        value.type in (t.INT, t.FLOAT) for value in (*node.inputs, node.output)
    )


def _identity(node: Node) -> Value | None:
    if node.output.type == t.INT:
        return _integer_identity(node)
    left, right = node.inputs
    if node.kind == "aten::mul" and to_python(right) == 1.0 and left.type == t.FLOAT:
        return left
    return None


def _integer_identity(node: Node) -> Value | None:
    """`n * 1` and `n + 0`. A constant goes to the right, and `n + 1 + 2` becomes `n + 3`."""
    constant = _constant_operand(node)
    if constant is None:
        return None
    if constant == (1 if node.kind == "aten::mul" else 0):
        return node.inputs[0]
    inner = node.inputs[0].node
    if node.kind == "aten::mul" or inner.kind not in ("aten::add", "aten::sub"):
        return None
    added = _constant_operand(inner) if _is_scalar(inner) and inner.output.type == t.INT else None
    if added is None:
        return None
    merged = constant + added if inner.kind == node.kind else constant - added
    if merged == 0:
        return inner.inputs[0]
    if abs(merged) >= _MANY:
        return None
    with node.graph.inserting_at(node):
        operands = [inner.inputs[0], insert_constant(node.graph, merged)]
        return node.graph.emit(node.kind, operands, [t.INT], node.range).output


_MANY = 2**62
"""Sums of constants below it do not overflow, and neither do their negatives."""


def _constant_operand(node: Node) -> int | None:
    """The constant that an int is added to, taken from or multiplied by; moves it to the right."""
    left, right = node.inputs
    found = to_python(left)
    if isinstance(found, int) and node.kind != "aten::sub":
        node.set_input(0, right)
        node.set_input(1, left)
    else:
        found = to_python(right)
    return found if isinstance(found, int) else None


def _superfluous_conversion(node: Node) -> Value | None:
    """The number in `int(n)` of an int, also through a tensor that nobody can have changed."""
    value = node.inputs[0]
    if value.node.kind == "prim::NumToTensor" and is_only_read(value):
        value = value.node.inputs[0]
    return value if value.type == node.output.type else None
