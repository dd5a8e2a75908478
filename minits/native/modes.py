"""The choice of plans that are to be C, MINITS_NATIVE: what plans ask before they import more."""

from __future__ import annotations

from minits.environment import choice
from minits.ir.graph import Graph


def mode() -> str:
    """Return the value of `MINITS_NATIVE`: what it means stands in `hot.py`."""
    return choice("MINITS_NATIVE", "hot", "now", "off")


def is_wanted(graph: Graph) -> bool:
    """Return whether a plan of this graph is to be C, if it can be."""
    wanted = mode()
    return wanted == "now" or (wanted == "hot" and bool(graph.nodes_of_kind("prim::Loop")))
