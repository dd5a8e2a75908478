"""Copies of nodes, blocks and graphs, with the values they read looked up in a map.

Source: torch/csrc/jit/ir/ir.cpp (`Graph::createClone`, `Block::cloneFrom`, `Value::copyMetadata`).
"""

from __future__ import annotations

from collections.abc import Callable

from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.trace_notes import copy_scope, copy_type_note

ValueMap = Callable[[Value], Value]


def copy_metadata(target: Value, source: Value, names: bool = True) -> Value:
    """Give `target` the type of `source` and, with a `.n` suffix where it is taken, its name."""
    target.type = source.type
    if names and source.has_name:
        target.set_name(source.name)
    if source.node.graph.trace_notes is not None:
        copy_type_note(source, target)
    return target


def _same(value: Value) -> Value:
    return value


def clone_node(graph: Graph, node: Node, value_map: ValueMap = _same, names: bool = True) -> Node:
    """Return a copy of `node` and all in it, in no block yet.

    Outer values go through the map; without one, the copy reads the same values.
    """
    return _Cloner(value_map, names).node(graph, node)


def clone_block(
    source: Block, target: Block, value_map: ValueMap = _same, names: bool = True
) -> None:
    """Append copies of `source`'s inputs, nodes and outputs to `target`, as `clone_node` copies."""
    _Cloner(value_map, names).block(source, target)


class _Cloner:
    """Copies nodes and blocks. `local` are the copies of values, those of inner blocks too."""

    def __init__(self, value_map: ValueMap, names: bool) -> None:
        self.local: dict[Value, Value] = {}
        self.value_map = value_map
        self.names = names

    def lookup(self, value: Value) -> Value:
        found = self.local.get(value)
        return self.value_map(value) if found is None else found

    def node(self, graph: Graph, node: Node) -> Node:
        copy = Node(graph, node.kind)
        copy.attributes = dict(node.attributes)
        copy.range = node.range
        copy.callstack = node.callstack
        if node.graph.trace_notes is not None:
            copy_scope(node, copy)
        for value in node.inputs:
            copy.add_input(self.lookup(value))
        for value in node.outputs:
            copy_metadata(copy.add_output(value.type), value, self.names)
        for block in node.blocks:
            self.block(block, copy.add_block())
        return copy

    def block(self, source: Block, target: Block) -> None:
        local, names = self.local, self.names
        for value in source.inputs:
            local[value] = copy_metadata(target.add_input(value.type), value, names)
        for node in source.nodes:
            copy = target.append(self.node(target.graph, node))
            for value, copied in zip(node.outputs, copy.outputs, strict=True):
                local[value] = copy_metadata(copied, value, names)  # a second time, as torch does
        for value in source.outputs:
            target.add_output(self.lookup(value))


def renew_values(block: Block) -> None:
    """Number and name the values in a block as those of a copy, which it then stands for.

    A copy takes the name of its original, which gets a fresh one. Results of nodes are named twice,
    as in `_Cloner`, and end up with that one.
    """
    names = block.graph.names
    for value in block.inputs:
        value.renumber()
        names.skip_fresh(value)
    for node in block.nodes:
        for value in node.outputs:
            value.renumber()
            names.refresh(value)
        for inner in node.blocks:
            renew_values(inner)
        for value in node.outputs:
            names.skip_fresh(value)


def clone_graph(graph: Graph, names: bool = True) -> Graph:
    """Return a copy of a whole graph."""
    copy = Graph()
    clone_block(graph.block, copy.block, _unbound, names)
    return copy


def _unbound(value: Value) -> Value:
    raise KeyError(f"{value!r} is defined outside the graph")


def insert_graph(target: Graph, callee: Graph, arguments: list[Value]) -> list[Value]:
    """Copy the body of `callee` to the insertion point of `target`; return its results there."""
    local: dict[Value, Value] = dict(zip(callee.inputs, arguments, strict=True))
    for node in callee.nodes:
        copy = target.insert(clone_node(target, node, local.__getitem__))
        local.update(zip(node.outputs, copy.outputs, strict=True))
    return [local[value] for value in callee.outputs]
