"""Lists that are made and appended to become lists that are written out.

Before:
    %l : Tensor[] = prim::ListConstruct(%x)
    %y : Tensor = aten::relu(%x)
    %m : Tensor[] = aten::append(%l, %y)
After (every use of %m now uses %l):
    %y : Tensor = aten::relu(%x)
    %l : Tensor[] = prim::ListConstruct(%x, %y)

Only where nobody reads the list in between. Unrolled loops leave such lists.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/remove_mutation.cpp (`RemoveListMutation`).
"""

from __future__ import annotations

from minits.ir.constants import to_python
from minits.ir.graph import Graph, Node


def remove_list_mutation(graph: Graph) -> bool:
    """Return whether the graph changed."""
    changed = False
    for node in graph.nodes_of_kind("aten::append", "aten::insert"):
        made = node.inputs[0].node
        if made.kind == "prim::ListConstruct" and _is_first_use(made, node):
            changed |= _merge(made, node)
    return changed


def _is_first_use(made: Node, writer: Node) -> bool:
    users = [use.user for use in made.output.uses if use.user is not writer]
    return made.owner is writer.block and all(writer.is_before(user) for user in users)


def _merge(made: Node, writer: Node) -> bool:
    """Put what a node adds to a list into the list; return whether it is known where."""
    position = len(made.inputs)
    if writer.kind == "aten::insert":
        wanted = to_python(writer.inputs[1])
        if not isinstance(wanted, int):
            return False
        position = slice(wanted, None).indices(position)[0]
    made.move_before(writer)
    made.insert_input(position, writer.inputs[-1])
    for output in writer.outputs:
        output.replace_all_uses_with(made.output)
    writer.destroy()
    return True
