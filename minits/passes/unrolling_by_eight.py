"""Unroll loops with small bodies: eight iterations become one, and a second loop runs the rest.

Before:
    %y : int = prim::Loop(%n, %true, %x)
      block0(%i : int, %a : int):
        %b : int = aten::add(%a, %i)
        -> (%true, %b)
After (two copies are shown; there are eight):
    %zero : int = prim::Constant[value=0]()
    %eight : int = prim::Constant[value=8]()
    %rounds : int = aten::__round_to_zero_floordiv(%n, %eight)
    %done : int = aten::mul(%rounds, %eight)
    %rest : int = aten::sub(%n, %done)
    %k : int, %z : int = prim::Loop(%rounds, %true, %zero, %x)
      block0(%round : int, %i : int, %a : int):
        %b : int = aten::add(%a, %i)
        %j : int = aten::add(%i, %one)
        %c : int = aten::add(%b, %j)
        %m : int = aten::add(%j, %one)
        -> (%true, %m, %c)
    %l : int, %y : int = prim::Loop(%rest, %true, %k, %z)
      block0(%number : int, %i : int, %a : int):
        %b : int = aten::add(%a, %i)
        %j : int = aten::add(%i, %one)
        -> (%true, %j, %b)

Both loops carry a counter only if the body reads it. The quotient is rounded towards zero, so that
a negative number of iterations is none in either loop. A loop is small if its body has at most 32
nodes without constants, those of blocks included; a small one of fewer than 64 iterations, a
constant, is unrolled entirely. Loops that a condition may end stay.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/loop_unrolling.cpp (`UnrollLoops`).
Differs: dead code is left to the dce pass.
"""

from __future__ import annotations

from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.copying import clone_node, copy_metadata
from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.walks import rewrite
from minits.passes.loop_unrolling import copy_iteration, runs_to_its_end, unroll
from minits.types import types as t

FACTOR = 8
MAX_NODES = 32
"""The nodes of a body that is small."""
MAX_ITERATIONS = 64
"""A small loop of fewer iterations, a constant number, is unrolled entirely."""


def unroll_loops_by_eight(graph: Graph) -> bool:
    """Return whether the graph changed."""
    return rewrite(graph.block, _change, "prim::Loop")


def _change(loop: Node) -> bool:
    if not runs_to_its_end(loop) or _size(loop.blocks[0]) > MAX_NODES:
        return False
    trip_count = to_python(loop.inputs[0])
    if trip_count is not NOT_CONSTANT and 0 <= trip_count < MAX_ITERATIONS:
        unroll(loop)
    else:
        _unroll_by_eight(loop)
    return True


def _size(block: Block) -> int:
    """Return the number of nodes that are executed, those of inner blocks included."""
    return sum(
        (node.kind != "prim::Constant") + sum(map(_size, node.blocks)) for node in block.nodes
    )


def _unroll_by_eight(loop: Node) -> None:
    graph = loop.graph
    if loop.blocks[0].inputs[0].uses:
        _carry_counter(loop)
    rest = clone_node(graph, loop).insert_after(loop)
    for index, output in enumerate(loop.outputs):
        output.replace_all_uses_with(rest.outputs[index])
        rest.set_input(index + 2, output)
    _repeat_body(loop)
    with graph.inserting_at(loop):
        n_rounds, n_left = _trip_counts(loop.inputs[0])
    loop.set_input(0, n_rounds)
    rest.set_input(0, n_left)


def _carry_counter(loop: Node) -> None:
    """Make the number of the iteration a variable that the loop carries, the first one."""
    graph, body = loop.graph, loop.blocks[0]
    with graph.inserting_at(loop):
        loop.insert_input(2, insert_constant(graph, 0))
    loop.insert_output(0, t.INT)
    counter = body.param.insert_output(1, t.INT)
    body.inputs[0].replace_all_uses_with(counter)
    with graph.inserting_at(body):
        following = _emit(graph, "aten::add", counter, insert_constant(graph, 1))
    body.end.insert_input(1, following)


def _repeat_body(loop: Node) -> None:
    """Put a body of eight iterations in the place of the loop's."""
    body, repeated = loop.blocks[0], loop.add_block()
    for value in body.inputs:
        copy_metadata(repeated.add_input(value.type), value)
    carried = repeated.inputs[1:]
    goes_on = body.outputs[0]
    for _ in range(FACTOR):
        goes_on, *carried = copy_iteration(body, [repeated.inputs[0], *carried], repeated.end)
    for value in (goes_on, *carried):
        repeated.add_output(value)
    loop.remove_block(0)


def _trip_counts(trip_count: Value) -> tuple[Value, Value]:
    """Emit how often the loop by eight runs, and the one that runs the rest."""
    graph = trip_count.node.graph
    rounds = _emit(
        graph, "aten::__round_to_zero_floordiv", trip_count, insert_constant(graph, FACTOR)
    )
    done = _emit(graph, "aten::mul", rounds, insert_constant(graph, FACTOR))
    return rounds, _emit(graph, "aten::sub", trip_count, done)


def _emit(graph: Graph, kind: str, left: Value, right: Value) -> Value:
    return graph.emit(kind, [left, right], [t.INT]).output
