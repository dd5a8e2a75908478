"""Numbers of warnings, by which each is shown only once.

Before, for `warnings.warn("slow")`:
    = aten::warn(%message, %level)
After:
    = aten::warn[warn_id=7](%message, %level)

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/annotate_warns.cpp.
"""

from __future__ import annotations

from minits.compilation_state import STATE
from minits.ir.graph import Graph


def number_warnings(graph: Graph) -> bool:
    """Give each `aten::warn` without a number one of its own. Return whether there were any."""
    changed = False
    for node in graph.nodes_of_kind("aten::warn"):
        if "warn_id" not in node.attributes:
            node.set_attr("warn_id", "i", STATE.next_warning())
            changed = True
    return changed
