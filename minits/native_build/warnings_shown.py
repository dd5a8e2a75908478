"""Warnings of a program as lines of the standard error stream.

Before:
    %message : str = prim::Constant[value="slow"]()
     = aten::warn[warn_id=7](%message, %level)
After:
    %place : str = prim::Constant[value="net.py:12: UserWarning:"]()
     = prim::Print[warning=0](%place, %message)

A call of the program shows each of its warnings once, as in torch.jit.
"""

from __future__ import annotations

from pathlib import PurePath

from minits.ir.constants import insert_constant
from minits.ir.graph import Graph, Node
from minits.types import types as t


def show_warnings(graph: Graph) -> int:
    """Replace warnings by lines that are printed, and return the number of different ones."""
    numbers: dict[int | Node, int] = {}
    for node in graph.nodes_of_kind("aten::warn"):
        known = node.get("warn_id", node)
        number = numbers.setdefault(known, len(numbers))
        with graph.inserting_at(node):
            place = insert_constant(graph, _place(node), t.STR, node.range)
        line = graph.create("prim::Print", [place, node.inputs[0]], [])
        line.set_attr("warning", "i", number).insert_before(node)
        line.range = node.range
        node.destroy()
    return len(numbers)


def _place(node: Node) -> str:
    if node.range is None:
        return "UserWarning:"
    name = PurePath(node.range.source.filename).name
    return f"{name}:{node.range.begin.line}: UserWarning:"
