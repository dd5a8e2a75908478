"""Widen the results of branches and loops that may hold more than their type says.

Before, in a loop that carries `start : int?`, of which `pass` leaves it as it is:
    %s : NoneType = prim::If(%c)
      block0():
        -> (%start)
      block1():
        -> (%none)
After:
    %s : int? = prim::If(%c)
      ...

torch.jit types what a branch leaves alone by what the variable was before the loop. Its graphs are
printed as they are; every pass that decides something by types runs after this one.

Needs: a verified graph, types of joins aside. Keeps: a verified graph.
"""

from __future__ import annotations

from collections.abc import Iterator

from minits.ir.graph import Graph, Node, Value
from minits.types.subtyping import is_subtype, unify


def widen_joins(graph: Graph) -> bool:
    """Return whether the graph changed."""
    joins = graph.nodes_of_kind("prim::If", "prim::Loop")
    changed = False
    while any(_widen(given, target) for node in joins for given, target in _passed(node)):
        changed = True  # a wider value may be passed on to another join
    return changed


def joins_fit(graph: Graph) -> bool:
    """Return whether branches and loops pass on no value that the type of its target excludes."""
    joins = graph.nodes_of_kind("prim::If", "prim::Loop")
    return all(is_subtype(a.type, b.type) for node in joins for a, b in _passed(node))


def _passed(node: Node) -> Iterator[tuple[Value, Value]]:
    """Yield each value that a branch, a loop or an iteration passes on, and what takes it."""
    if node.kind == "prim::If":
        for block in node.blocks:
            yield from zip(block.outputs, node.outputs, strict=False)
        return
    body = node.blocks[0]
    for carried, first, last, output in zip(
        body.inputs[1:], node.inputs[2:], body.outputs[1:], node.outputs, strict=False
    ):
        yield first, carried
        yield last, carried
        yield carried, output


def _widen(given: Value, target: Value) -> bool:
    if is_subtype(given.type, target.type):
        return False
    type = unify(target.type, given.type, default_to_union=True)
    assert type is not None
    target.type = type
    return True
