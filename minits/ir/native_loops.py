"""Loops that may run as C: an attribute of `prim::Loop`, and a loop as a graph of its own.

Plans mark loops (`native/marking.py`). No pass need know: a marked loop stays what it is, but no
kernels are made of what is in it.
"""

from __future__ import annotations

from minits.ir.copying import clone_node
from minits.ir.graph import Graph, Node, Value
from minits.types import types as t

_MARK = "native"
_COPIED = ("prim::Constant", "prim::Uninitialized")


def mark(loop: Node) -> None:
    loop.set_attr(_MARK, "i", 1)


def is_marked(node: Node) -> bool:
    """Return whether a node is a loop that may run as C."""
    return node.kind == "prim::Loop" and _MARK in node.attributes


def outlined(loop: Node) -> tuple[Graph, list[Value]]:
    """Return a graph of a copy of the loop, and the values outside that its inputs stand for.

    Constants are copied, but for tensors, and so is what is not initialized. Its outputs are those
    of the loop.
    """
    graph = Graph()
    copies: dict[Value, Value] = {}

    def copy_of(value: Value) -> Value:
        found = copies.get(value)
        if found is None and value.node.kind in _COPIED and value.type != t.TENSOR:
            found = graph.block.prepend(clone_node(graph, value.node, copy_of)).output
        elif found is None:
            found = graph.add_input(value.name if value.has_name else "", value.type)
            outer.append(value)
        copies[value] = found
        return found

    outer: list[Value] = []
    copy = graph.insert(clone_node(graph, loop, copy_of))
    for value in copy.outputs:
        graph.block.add_output(value)
    return graph, outer
