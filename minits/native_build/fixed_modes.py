"""Modes that a library is never called in: what asks for them is constant.

Before:
    %on : bool = aten::is_autocast_enabled()
After:
    %on : bool = prim::Constant[value=0]()

torch's C interface has no autocast: callers in C cannot turn it on.
"""

from __future__ import annotations

from minits.ir.constants import insert_constant
from minits.ir.graph import Graph
from minits.types import types as t

_ASKING = ("aten::is_autocast_enabled", "aten::is_autocast_cpu_enabled")


def fix_modes(graph: Graph) -> bool:
    """Replace what asks for these modes by False. Return whether there was any."""
    nodes = [node for kind in _ASKING for node in graph.nodes_of_kind(kind)]
    for node in nodes:
        with graph.inserting_at(node):
            constant = insert_constant(graph, False, t.BOOL, node.range)
        node.output.replace_all_uses_with(constant)
        node.destroy()
    return bool(nodes)
