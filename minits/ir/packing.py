"""Graphs as tuples that `pickle` can write: a value is a number, in the order of definition.

    graph(%x : Tensor):                    ((TENSOR, "x"),),
      %1 : Tensor = aten::relu(%x)         (("aten::relu", (0,), ((TENSOR, None),), ...),),
      return (%1)                          (1,)

`pickle` itself would follow the links between nodes, one call deeper for each node of a block.
Attributes that are graphs are packed as well.
"""

from __future__ import annotations

from typing import Any

from minits.ir.graph import Attr, Block, Graph, Node, Value

Packed = tuple[Any, ...]
"""A block: its inputs, its nodes, and the numbers of its outputs."""


def pack(graph: Graph) -> Packed:
    """Return a graph as nested tuples. Types, ranges and constants are kept as objects."""
    return _Packer().block(graph.block)


def unpack(packed: Packed) -> Graph:
    """Return the graph that `pack` wrote as tuples."""
    graph = Graph()
    _Unpacker(graph).block(graph.block, packed)
    return graph


class _Packer:
    def __init__(self) -> None:
        self._numbers: dict[Value, int] = {}

    def block(self, block: Block) -> Packed:
        inputs = self._defined(block.inputs)
        nodes = tuple([self._node(node) for node in block.nodes])
        return inputs, nodes, tuple([self._numbers[value] for value in block.outputs])

    def _node(self, node: Node) -> Packed:
        inputs = tuple([self._numbers[value] for value in node.inputs])
        attributes = {name: _packed(attr) for name, attr in node.attributes.items()}
        blocks = tuple([self.block(block) for block in node.blocks])
        outputs = self._defined(node.outputs)
        return node.kind, inputs, outputs, attributes, blocks, node.range, node.callstack

    def _defined(self, values: list[Value]) -> Packed:
        for value in values:
            self._numbers[value] = len(self._numbers)
        return tuple([(value.type, value.name if value.has_name else None) for value in values])


class _Unpacker:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._values: list[Value] = []

    def block(self, block: Block, packed: Packed) -> None:
        inputs, nodes, outputs = packed
        for type, name in inputs:
            self._define(block.add_input(type), name)
        for node in nodes:
            self._node(block, node)
        for number in outputs:
            block.add_output(self._values[number])

    def _node(self, block: Block, packed: Packed) -> None:
        kind, inputs, outputs, attributes, blocks, where, callstack = packed
        node = block.append(Node(self._graph, kind))
        node.attributes = {name: _unpacked(attr) for name, attr in attributes.items()}
        node.range, node.callstack = where, callstack
        for number in inputs:
            node.add_input(self._values[number])
        for inner in blocks:
            self.block(node.add_block(), inner)
        for type, name in outputs:
            self._define(node.add_output(type), name)

    def _define(self, value: Value, name: str | None) -> None:
        self._values.append(value)
        if name is not None:
            value.set_name(name)


def _packed(attr: Attr) -> Packed:
    content = attr.value
    return attr.kind, pack(content) if isinstance(content, Graph) else content


def _unpacked(packed: Packed) -> Attr:
    kind, content = packed
    return Attr(kind, unpack(content) if kind == "g" else content)
