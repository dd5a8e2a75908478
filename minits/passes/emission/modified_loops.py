"""Loops with both a trip count and a condition, to loops with a condition alone.

Python has no such loop; `break` inside `for i in range(n)` makes one. Nor has it a `while` whose
body reads how often it ran, which no program is compiled to: before such a graph is printed as
Python, `with_python_loops` changes both kinds.

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
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Node, Value
from minits.ir.walks import rewrite
from minits.types import types as t
from minits.types.int64 import MAX_INT
from minits.types.types import Type


def canonicalize_modified_loops(graph: Graph) -> bool:
    """Count in the program what such loops count. Return whether there were any."""
    return graph.may_have("prim::Loop") and rewrite(graph.block, _change, "prim::Loop")


def _change(loop: Node) -> bool:
    is_modified = _counts(loop) and not _always_goes_on(loop)
    if is_modified:
        _canonicalize(loop)
    return is_modified


def _counts(loop: Node) -> bool:
    """Return whether the loop may end by its trip count."""
    return bool(to_python(loop.inputs[0]) != MAX_INT)


def _always_goes_on(loop: Node) -> bool:
    """Return whether the condition never ends the loop."""
    return to_python(loop.inputs[1]) is True and to_python(loop.blocks[0].outputs[0]) is True


def with_python_loops(graph: Graph) -> Graph:
    """Return a graph whose loops Python has, `for` or `while`: the graph, or a copy of it."""
    loops = [*graph.nodes_of_kind("prim::Loop")]
    if all(map(_is_in_python, loops)):
        return graph
    copy = clone_graph(graph)
    for loop in [*copy.nodes_of_kind("prim::Loop")]:
        if not _is_in_python(loop):
            _canonicalize(loop)
    return copy


def _is_in_python(loop: Node) -> bool:
    if _counts(loop):
        return _always_goes_on(loop)
    return not loop.blocks[0].inputs[0].uses


def _canonicalize(loop: Node) -> None:
    graph, body = loop.graph, loop.blocks[0]
    trip_count = loop.inputs[0]
    counts = _counts(loop)
    with graph.inserting_at(loop):
        zero, one = insert_constant(graph, 0), insert_constant(graph, 1)
        if counts:
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
        if counts:
            more = _emit(graph, "aten::lt", following, trip_count, t.BOOL)
            body.end.set_input(0, _emit(graph, "aten::__and__", more, body.outputs[0], t.BOOL))


def _emit(graph: Graph, kind: str, first: Value, second: Value, type: Type) -> Value:
    return graph.emit(kind, [first, second], [type]).output
