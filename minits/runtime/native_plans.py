"""Plans as C: the whole of one, or its loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minits.frontend.values.function import CompiledFunction
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph
from minits.ir.native_loops import is_marked
from minits.native.function import NativeFunction
from minits.native.hot import native_function
from minits.native.loop import NativeLoop
from minits.native.marking import mark_native_loops
from minits.passes.fusion.fuse import groups_of
from minits.passes.remarks import Remark
from minits.passes.shape_propagation.propagate import infer_metadata
from minits.types import types as t

_SHARED = (t.ListType, t.DictType, t.ClassType)


def native_parts(
    graph: Graph,
    function: CompiledFunction,
    values: Sequence[Any] | None,
    call: Sequence[Any] | None = None,
) -> tuple[Graph, NativeFunction | None, list[Remark]]:
    """Return the graph of a plan, with loops marked that run as C, or all of it as C, and remarks.

    values: of the call that the plan is made for; without, only the whole can be C. C has copies of
        lists, dicts and attributes: so a task, which is given those of the program, is no whole.
    call: the same, where loops are not to be tried
    """
    if any(map(is_marked, graph.nodes_of_kind("prim::Loop"))):
        return graph, None, []  # they were looked at before there were kernels
    if groups_of(graph):
        return graph, *native_function(graph, function.name)
    native, remarks = None, list[Remark]()
    if not (function.is_task and any(isinstance(each.type, _SHARED) for each in graph.inputs)):
        native, remarks = native_function(graph, function.name, call or values)
    if native is None and values is not None:
        marked = clone_graph(graph)
        if found := mark_native_loops(marked, infer_metadata(marked, values, certain=True)):
            return marked, None, found
    return graph, native, remarks


def make_loop(graph: Graph, name: str, is_inner: bool) -> Callable[..., Any]:
    """Return the function that runs a marked loop of a plan."""
    return NativeLoop(graph, name, is_inner).call
