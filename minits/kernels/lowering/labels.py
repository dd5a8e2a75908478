"""The names of groups, for people: their operators, and the user's line.

label_of(graph)       "tanh, mul, add (model.py:12)"
"""

from __future__ import annotations

from pathlib import Path

from minits.ir.graph import Graph
from minits.ir.places import calls_of, place_in_program

MOST_NAMED = 6
"""Operators that a label names; of others it has the number."""
_LEFT_OUT = ("prim::Constant", "prim::ListConstruct", "prim::TupleConstruct")


def label_of(graph: Graph) -> str:
    """Return the operators of a group, and the user's line (`line_of`)."""
    kinds = [node.kind for node in graph.nodes if node.kind not in _LEFT_OUT]
    names = list(dict.fromkeys(kind.partition("::")[2] for kind in kinds))
    further = len(names) - MOST_NAMED
    shown = ", ".join(names[:MOST_NAMED]) + (f" and {further} more" if further > 0 else "")
    return shown + line_of(graph)


def line_of(graph: Graph) -> str:
    """Return ` (model.py:12)` for the first operator whose line is known; nothing for none.

    Of an operator in a function of a library it is the user's line that calls the function.
    """
    for node in graph.nodes:
        if node.range is not None:
            place = place_in_program(node.range, calls_of(node))
            return f" ({Path(place.source.filename).name}:{place.begin.line})"
    return ""
