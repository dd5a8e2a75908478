"""Unroll loops of a small, constant number of iterations.

Before:
    %y : int = prim::Loop(%two, %true, %x)
      block0(%i : int, %a : int):
        %b : int = aten::add(%a, %i)
        -> (%true, %b)
After:
    %i0 : int = prim::Constant[value=0]()
    %b0 : int = aten::add(%x, %i0)
    %i1 : int = prim::Constant[value=1]()
    %y : int = aten::add(%b0, %i1)

A loop is unrolled when the product of its iterations and of the nodes of its body is small.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/loop_unrolling.cpp.
Differs: loops of an unknown number of iterations are left to `unrolling_by_eight`.
"""

from __future__ import annotations

from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.copying import clone_node
from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.walks import rewrite

MAX_ITERATIONS = 8
MAX_NODES = 128


def unroll_loops(graph: Graph) -> bool:
    """Return whether the graph changed."""
    return rewrite(graph.block, _change, "prim::Loop")


def _change(loop: Node) -> bool:
    is_short = _is_short(loop)
    if is_short:
        unroll(loop)
    return is_short


def _is_short(node: Node) -> bool:
    trip_count = to_python(node.inputs[0])
    if trip_count is NOT_CONSTANT or not runs_to_its_end(node):
        return False
    size = _size(node.blocks[0])
    return bool(0 <= trip_count <= MAX_ITERATIONS and trip_count * size <= MAX_NODES)


def runs_to_its_end(loop: Node) -> bool:
    """Return whether no condition ends a loop: it runs as often as its first input says."""
    conditions = loop.inputs[1], loop.blocks[0].outputs[0]
    return all(to_python(value) is True for value in conditions)


def _size(block: Block) -> int:
    return sum(1 + sum(map(_size, node.blocks)) for node in block.nodes)


def unroll(node: Node) -> None:
    """Replace a loop of a constant number of iterations by copies of its body."""
    graph, body = node.graph, node.blocks[0]
    carried = list(node.inputs[2:])
    for number in range(to_python(node.inputs[0])):
        with graph.inserting_at(node):
            index = insert_constant(graph, number)
        _, *carried = copy_iteration(body, [index, *carried], node)
    for output, value in zip(node.outputs, carried, strict=True):
        output.replace_all_uses_with(value)
    node.destroy()


def copy_iteration(body: Block, inputs: list[Value], before: Node) -> list[Value]:
    """Copy the nodes of a loop's body, of these inputs, before a node; return its outputs."""
    local: dict[Value, Value] = dict(zip(body.inputs, inputs, strict=True))

    def lookup(value: Value) -> Value:
        return local.get(value, value)

    for inner in body.nodes:
        copy = clone_node(body.graph, inner, lookup).insert_before(before)
        local.update(zip(inner.outputs, copy.outputs, strict=True))
    return [lookup(value) for value in body.outputs]
