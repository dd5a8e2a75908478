"""Canonical numbering: graphs of one structure print as one text.

Before:
    %7 : int = aten::neg(%x.3)
After (a named value keeps its name, but takes a number):
    %1 : int = aten::neg(%x.3)

Source: torch/csrc/jit/passes/canonicalize.cpp (`Canonicalize`).
"""

from __future__ import annotations

from minits.ir.copying import clone_graph
from minits.ir.graph import Attr, Graph


def canonicalize(graph: Graph, keep_names: bool = True) -> Graph:
    """Return a copy whose values are numbered in the order of definition."""
    copy = clone_graph(graph, names=keep_names)
    for node in copy.all_nodes():
        if "Subgraph" in node.attributes:
            inner = canonicalize(node["Subgraph"], keep_names)
            node.attributes["Subgraph"] = Attr("g", inner)
    return copy
