"""Carry the elements of tuples in and out of blocks, not the tuples.

Before:
    %t : (int, float) = prim::If(%c)
      block0():
        %u : (int, float) = prim::TupleConstruct(%n, %x)
        -> (%u)
      block1():
        -> (%v)
After:
    %a : int, %b : float = prim::If(%c)
      block0():
        %u : (int, float) = prim::TupleConstruct(%n, %x)
        -> (%n, %x)
      block1():
        %d : int, %e : float = prim::TupleUnpack(%v)
        -> (%d, %e)
    %t : (int, float) = prim::TupleConstruct(%a, %b)

Loops' variables are treated alike; inputs and outputs of the graph stay. "lower-simple-tuples" and
"dce" take away what nobody needs any more.

Source: torch/csrc/jit/passes/lower_tuples.cpp (`LowerAllTuples`).
"""

from __future__ import annotations

from minits.ir.constants import insert_constant, to_python
from minits.ir.graph import Block, Graph, Node, Value
from minits.types import types as t


def lower_all_tuples(graph: Graph) -> bool:
    """Return whether the graph changed."""
    return graph.may_have("prim::If", "prim::Loop") and _visit(graph.block)


def _visit(block: Block) -> bool:
    changed = False
    for node in block.nodes:
        if node.kind in ("prim::If", "prim::Loop"):
            changed |= _explode_outputs(node)
        for inner in node.blocks:
            changed |= _visit(inner)
    return changed


def _explode_outputs(node: Node) -> bool:
    """Replace each tuple among the outputs by its elements, and those that are tuples in turn."""
    changed, index = False, 0
    while index < len(node.outputs):
        type = node.outputs[index].type
        if not isinstance(type, t.TupleType):
            index += 1
            continue
        if node.kind == "prim::Loop":
            body = node.blocks[0]
            _explode_input(node, index + 2, type)
            _explode_input(body.end, index + 1, type)
            _explode_output(body.param, index + 1, type, body.end.next)
        else:
            for block in node.blocks:
                _explode_input(block.end, index, type)
        _explode_output(node, index, type, node.next)
        changed = True
    return changed


def _explode_input(user: Node, index: int, type: t.TupleType) -> None:
    """Replace a tuple among the inputs of a node by its elements."""
    parts = _elements(user.inputs[index], user, type)
    user.remove_input(index)
    for offset, part in enumerate(parts):
        user.insert_input(index + offset, part)


def _elements(value: Value, user: Node, type: t.TupleType) -> list[Value]:
    """Return the elements of a tuple, before the node that uses it."""
    graph, maker = value.node.graph, value.node
    if maker.kind == "prim::TupleConstruct":
        return list(maker.inputs)
    with graph.inserting_at(user):
        if maker.kind == "prim::Uninitialized":
            return [
                graph.insert(graph.create(maker.kind, (), [each])).output for each in type.elements
            ]
        content = to_python(value)
        if isinstance(content, tuple):
            return [
                insert_constant(graph, item, each)
                for item, each in zip(content, type.elements, strict=True)
            ]
        return graph.insert(graph.create("prim::TupleUnpack", [value], type.elements)).outputs


def _explode_output(maker: Node, index: int, type: t.TupleType, point: Node) -> None:
    """Replace a tuple among the outputs of a node by its elements; make the tuple at `point`."""
    old = maker.outputs[index]
    parts = [
        maker.insert_output(index + 1 + offset, each) for offset, each in enumerate(type.elements)
    ]
    made = maker.graph.create("prim::TupleConstruct", parts, [type]).insert_before(point)
    old.replace_all_uses_with(made.output)
    maker.remove_output(index)
