"""Double negation: `not not b` is `b`, since b is a bool.

One value is replaced by another that was there before it, so all places that use it may use that.
"""

from minits.ir.graph import Graph
from minits.passes.user_passes import graph_pass


@graph_pass("double-not")
def remove_double_not(graph: Graph) -> bool:
    changed = False
    for node in graph.nodes_of_kind("aten::__not__"):
        inner = node.inputs[0].node
        if inner.kind == "aten::__not__":
            node.output.replace_all_uses_with(inner.inputs[0])
            node.destroy()
            changed = True
    return changed
