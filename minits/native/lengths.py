"""Lengths of lists that a program makes only to count their items.

    %xs : Any[] = prim::ListConstruct(%a, %b)
    %n : int = aten::len(%xs)                    %n : int = prim::Constant[value=2]()

A loop over a tuple of several types, which is unrolled, leaves such a list of `Any`.
"""

from __future__ import annotations

from minits.ir.constants import make_constant
from minits.ir.graph import Graph


def fold_lengths(graph: Graph) -> None:
    """Replace the lengths of lists of which nothing but the length is used."""
    for node in graph.nodes_of_kind("prim::ListConstruct"):
        users = [use.user for use in node.output.uses]
        if not users or any(user.kind != "aten::len" for user in users):
            continue
        for user in users:
            length = make_constant(graph, len(node.inputs)).insert_before(user)
            user.output.replace_all_uses_with(length.output)
            user.destroy()
        node.destroy()
