"""An output of prim::If that is one value on both ways is that value.

A value that both blocks give was made before the If: neither block sees what the other makes. Inner
Ifs come first, so that what they become is seen by those around them. The types are compared, since
all who use the output have been checked with its type.
"""

from minits.ir.graph import Graph
from minits.passes.user_passes import graph_pass


@graph_pass("same-on-both-ways")
def replace_same_outputs(graph: Graph) -> bool:
    changed = False
    for node in reversed(graph.nodes_of_kind("prim::If")):
        first, second = (block.outputs for block in node.blocks)
        for output, value, other in zip(node.outputs, first, second):
            if value is other and value.type == output.type and output.uses:
                output.replace_all_uses_with(value)
                changed = True
    return changed
