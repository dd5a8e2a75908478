"""`relu(relu(x))` is `relu(x)`, but two tensors become one: nobody may notice.

Who could notice is one who writes to one of them and reads the other. That is a node of the graph
(`is_written`, which knows of views), or the caller, if both are returned (`escapes`). The analysis
is of the graph in its present state, so it is made anew after each change.
"""

from minits.ir.alias import AliasAnalysis
from minits.ir.graph import Graph
from minits.passes.user_passes import graph_pass


@graph_pass("relu-twice")
def remove_second_relu(graph: Graph) -> bool:
    changed = False
    for node in graph.nodes_of_kind("aten::relu"):
        first, second = node.inputs[0], node.output
        if first.node.kind != "aten::relu":
            continue
        aliases = AliasAnalysis(graph)
        if aliases.is_written(first) or aliases.is_written(second):
            continue
        if aliases.escapes(first) and aliases.escapes(second):
            continue
        second.replace_all_uses_with(first)
        node.destroy()
        changed = True
    return changed
