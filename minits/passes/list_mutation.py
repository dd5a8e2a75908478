"""Lists that are made and then appended to, or set items of, become lists that are written out.

Before:
    %l : Tensor[] = prim::ListConstruct(%x)
    %y : Tensor = aten::relu(%x)
    %m : Tensor[] = aten::append(%l, %y)
After (every use of %m now uses %l):
    %y : Tensor = aten::relu(%x)
    %l : Tensor[] = prim::ListConstruct(%x, %y)

Only where nobody reads the list in between, and where the index is known; one that is out of range
is left to raise. Unrolled loops leave such lists.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/remove_mutation.cpp (`RemoveListMutation`).
"""

from __future__ import annotations

from minits.ir.constants import to_python
from minits.ir.graph import Graph, Node


def remove_list_mutation(graph: Graph) -> bool:
    """Return whether the graph changed."""
    changed = False
    for node in graph.nodes_of_kind("aten::append", "aten::insert", "aten::_set_item"):
        made = node.inputs[0].node
        if made.kind == "prim::ListConstruct" and _is_first_use(made, node):
            changed |= _merge(made, node)
    return changed


def _is_first_use(made: Node, writer: Node) -> bool:
    users = [use.user for use in made.output.uses if use.user is not writer]
    return made.owner is writer.block and all(writer.is_before(user) for user in users)


def _merge(made: Node, writer: Node) -> bool:
    """Put what a node writes to a list into the list; return whether it is known where."""
    index = _index(writer, len(made.inputs))
    if index is None:
        return False
    made.move_before(writer)
    if writer.kind == "aten::_set_item":
        made.set_input(index, writer.inputs[-1])
    else:
        made.insert_input(index, writer.inputs[-1])
    for output in writer.outputs:
        output.replace_all_uses_with(made.output)
    writer.destroy()
    return True


def _index(writer: Node, length: int) -> int | None:
    """Return the index in a list to which a node writes; None if it is unknown, or not there."""
    if writer.kind == "aten::append":
        return length
    index = to_python(writer.inputs[1])
    if not isinstance(index, int):
        return None
    if writer.kind == "aten::insert":
        return slice(index, None).indices(length)[0]
    return index % length if -length <= index < length else None
