"""Graphs that may run once more after an error, as if they had run once."""

from __future__ import annotations

from minits.ir.alias import AliasAnalysis
from minits.ir.graph import Graph
from minits.ops.properties import has_side_effects, is_nondeterministic

_RAISE_OR_WARN = ("prim::RaiseException", "aten::warn")


def may_run_again(graph: Graph) -> bool:
    """Return whether nobody sees how often a graph runs, but for errors and warnings."""
    alias = AliasAnalysis(graph)
    return not any(
        is_nondeterministic(node)
        or (node in alias.writers and alias.writes_to_wildcard(node))
        or (has_side_effects(node) and node.kind not in _RAISE_OR_WARN)
        for node in graph.all_nodes()
    )
