"""Remove dropout where modules are not trained, so that it drops nothing.

Before:
    %y : Tensor = aten::dropout(%x, %p, %false)
After (every use of %y now uses %x):

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/remove_dropout.cpp.
"""

from __future__ import annotations

from minits.ir.constants import to_python
from minits.ir.graph import Graph

_KINDS = ("aten::dropout", "aten::dropout_", "aten::feature_dropout", "aten::feature_dropout_")


def remove_dropout(graph: Graph) -> bool:
    """Return whether the graph changed."""
    changed = False
    for node in graph.nodes_of_kind(*_KINDS):
        if to_python(node.inputs[2]) is False:
            node.output.replace_all_uses_with(node.inputs[0])
            node.destroy()
            changed = True
    return changed
