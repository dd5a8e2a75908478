"""Operators that do nothing in a frozen graph.

Before:
    %y : Tensor = aten::detach(%x)
    %z : Future[Tensor] = prim::fork_0(%module, %y)     # its graph does not read %module
After (every use of %y now uses %x):
    %z : Future[Tensor] = prim::fork_0(%x)

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/eliminate_no_ops.cpp and dead_code_elimination.cpp
(`eliminateDeadForkInputs`).
"""

from __future__ import annotations

from minits.ir.graph import Graph
from minits.types import types as t


def remove_detach(graph: Graph) -> bool:
    """Remove `aten::detach`. Return whether the graph changed.

    A graph that asks whether tensors are the same is left.
    """
    questions = graph.nodes_of_kind("aten::__is__", "aten::__isnot__")
    if any(all(value.type == t.TENSOR for value in node.inputs) for node in questions):
        return False
    changed = False
    for node in graph.nodes_of_kind("aten::detach"):
        changed = True
        node.output.replace_all_uses_with(node.inputs[0])
    return changed


def remove_unread_fork_inputs(graph: Graph) -> bool:
    """Remove inputs that a forked graph does not read. Return whether the graph changed."""
    changed = False
    for node in graph.nodes_of_kind("prim::fork"):
        inner: Graph = node["Subgraph"]
        for index in reversed(range(len(node.inputs))):
            if not inner.inputs[index].uses:
                inner.block.param.remove_output(index)
                node.remove_input(index)
                changed = True
    return changed
