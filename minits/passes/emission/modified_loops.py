"""Loops with both a trip count and a condition, to loops with a condition alone.

Python has no such loop; `break` inside `for i in range(n)` makes one.

Before:
    = prim::Loop(%n, %true)
      block0(%i : int):
        ...
        -> (%go_on)
After:
    %enter : bool = aten::gt(%n, %zero)
    %last : int = prim::Loop(%max_int, %enter, %zero)
      block0(%t : int, %i : int):
        ...
        %next : int = aten::add(%i, %one)
        %more : bool = aten::lt(%next, %n)
        %both : bool = aten::__and__(%more, %go_on)
        -> (%both, %next)

Source: torch/csrc/jit/frontend/canonicalize_modified_loop.cpp.
"""

from __future__ import annotations

from minits.ir.constants import insert_constant, to_python
from minits.ir.graph import Graph, Node, Value
from minits.ir.walks import rewrite
from minits.types import types as t
from minits.types.int64 import MAX_INT
from minits.types.types import Type


def canonicalize_modified_loops(graph: Graph) -> bool:
    """Count in the program what such loops count. Return whether there were any."""
    return graph.may_have("prim::Loop") and rewrite(graph.block, _change, "prim::Loop")


def _change(loop: Node) -> bool:
    is_modified = _is_modified(loop)
    if is_modified:
        _canonicalize(loop)
    return is_modified


def _is_modified(loop: Node) -> bool:
    """Return whether the loop may end by its trip count and by its condition."""
    counts = to_python(loop.inputs[0]) != MAX_INT
    always = to_python(loop.inputs[1]) is True and to_python(loop.blocks[0].outputs[0]) is True
    return counts and not always


def _canonicalize(loop: Node) -> None:
    graph, body = loop.graph, loop.blocks[0]
    trip_count = loop.inputs[0]
    with graph.inserting_at(loop):
        zero, one = insert_constant(graph, 0), insert_constant(graph, 1)
        condition = _emit(graph, "aten::gt", trip_count, zero, t.BOOL)
        loop.set_input(0, insert_constant(graph, MAX_INT))
        if to_python(loop.inputs[1]) is not True:
            condition = _emit(graph, "aten::__and__", condition, loop.inputs[1], t.BOOL)
        loop.set_input(1, condition)
    loop.add_output(t.INT)
    loop.add_input(zero)
    position = body.add_input(t.INT)
    body.inputs[0].set_name(None).replace_all_uses_with(position)
    with graph.inserting_at(body):
        following = _emit(graph, "aten::add", position, one, t.INT)
        body.add_output(following)
        more = _emit(graph, "aten::lt", following, trip_count, t.BOOL)
        body.end.set_input(0, _emit(graph, "aten::__and__", more, body.outputs[0], t.BOOL))


def _emit(graph: Graph, kind: str, first: Value, second: Value, type: Type) -> Value:
    return graph.emit(kind, [first, second], [type]).output
