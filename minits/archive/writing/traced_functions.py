"""Calls of a `torch.autograd.Function` in a trace: the archive has what its `forward` has recorded.

Before:
    %3 : Tensor = ^Scaled[inplace=0, module="model", Subgraph=<Graph>](2)(%x)
After:
    %4 : int = prim::Constant[value=2]()
    %3 : Tensor = aten::mul(%x, %4)

The graph itself stays as it is. torch.jit saves no such graph.
"""

from __future__ import annotations

import warnings

from minits.ir.copying import clone_graph, insert_graph
from minits.ir.graph import Graph, Node
from minits.passes.pipeline import run_pipeline
from minits.types.types import TupleType


def with_operators_of_functions(graph: Graph) -> Graph:
    """Return a graph, or a copy of it without calls of an autograd.Function.

    Warns that gradients will be those of the operators.
    """
    if not any(map(_is_traced_call, graph.all_nodes())):
        return graph
    copy = clone_graph(graph)
    while calls := [node for node in copy.all_nodes() if _is_traced_call(node)]:
        for node in calls:
            _replace(copy, node)
    run_pipeline(copy, "lower-simple-tuples")
    run_pipeline(copy, "dce")
    return copy


def _is_traced_call(node: Node) -> bool:
    return node.kind == "prim::PythonOp" and "Subgraph" in node.attributes


def _replace(graph: Graph, node: Node) -> None:
    warnings.warn(
        f"the archive has the operators of {node['name']}.forward, and not its backward: "
        "gradients of what is loaded are those of the operators",
        stacklevel=2,
    )
    with graph.inserting_at(node):
        results = insert_graph(graph, node["Subgraph"], list(node.inputs))
        if isinstance(node.output.type, TupleType):
            results = [graph.emit("prim::TupleConstruct", results, [node.output.type]).output]
    node.output.replace_all_uses_with(results[0])
    node.destroy()
