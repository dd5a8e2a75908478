"""Uses of values, seen through the nodes that change a type only.

`prim::unchecked_cast` and its like return their input: in generated code both are one variable.
"""

from __future__ import annotations

from collections.abc import Iterator

from minits.ir.graph import Graph, Node, Use, Value

ALIASES = frozenset(("prim::unchecked_cast", "prim::unchecked_unwrap_optional"))


def resolve(value: Value) -> Value:
    """Return the value that `value` is another type of."""
    while value.node.kind in ALIASES:
        value = value.node.inputs[0]
    return value


def uses_of(value: Value) -> Iterator[Use]:
    """The uses of a (resolved) value and of all its aliases."""
    for use in value.uses:
        if use.user.kind in ALIASES:
            yield from uses_of(use.user.output)
        else:
            yield use


def is_used(value: Value) -> bool:
    """Return whether anything uses a (resolved) value or an alias of it."""
    return any(True for _ in uses_of(value))


def is_constant(value: Value) -> bool:
    return value.node.kind == "prim::Constant"


def loops(graph: Graph) -> list[Node]:
    """Return all loops, outer before inner."""
    return graph.nodes_of_kind("prim::Loop")
