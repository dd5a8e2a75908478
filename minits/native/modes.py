"""The choice of plans that are to be C, MINITS_NATIVE: what plans ask before they import more."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

from minits.environment import choice
from minits.ir.graph import Graph

if TYPE_CHECKING:
    from minits.native.loop import NativeLoop

LOOP = "native_loop"
"""The attribute of a function that runs a loop of a plan, which is the `NativeLoop`."""


def mode() -> str:
    """Return the value of `MINITS_NATIVE`: what it means stands in `hot.py`."""
    return choice("MINITS_NATIVE", "hot", "now", "whole", "off")


def is_wanted(graph: Graph) -> bool:
    """Return whether a plan of this graph is to be C, if it can be."""
    wanted = mode()
    if wanted == "hot":
        return bool(graph.nodes_of_kind("prim::Loop"))
    return wanted in ("now", "whole")


def is_whole() -> bool:
    """Return whether a plan is to be C as a whole, if it can be, without kernels."""
    return mode() == "whole"


def loops_in(run: Any) -> list[NativeLoop]:
    """Return the loops that a generated function has run as C."""
    values = list(getattr(run, "__globals__", {}).values())
    functions = [vars(value) for value in values if isinstance(value, FunctionType)]
    return [each[LOOP] for each in functions if LOOP in each]
