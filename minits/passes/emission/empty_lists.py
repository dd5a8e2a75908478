"""Empty lists of which no use has told the type: they are lists of tensors, as in torch.

Before, for `x = []`:
    %x : Tensor[] = prim::EmptyListLiteral()
After:
    %x : Tensor[] = prim::ListConstruct()

Needs: a graph in SSA form. Keeps: a verified graph.
Source: torch/csrc/jit/frontend/ir_emitter.cpp, which does so when it emits the literal.
"""

from __future__ import annotations

from minits.ir.graph import Graph
from minits.types import types as t


def replace_empty_list_literals(graph: Graph) -> bool:
    """Return whether the graph changed."""
    literals = graph.nodes_of_kind("prim::EmptyListLiteral")
    for node in literals:
        if node.output.uses:
            with graph.inserting_at(node):
                made = graph.emit("prim::ListConstruct", [], [t.ListType(t.TENSOR)])
            node.output.replace_all_uses_with(made.output)
        node.destroy()
    return bool(literals)
