"""Plans and kernels: fusing a plan's graph, and building what its calls need.

It is imported with the first plan that is made; compiling needs none of this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from minits.codegen.groups import Group, groups_in
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Node
from minits.kernels.cpu.background import BeingBuilt, building_now
from minits.kernels.cpu.building import request
from minits.kernels.cpu.c_build import NoCompiler
from minits.kernels.launch.observers import is_recording
from minits.kernels.lowering import LOWERINGS
from minits.native.modes import is_wanted
from minits.passes.context import Context
from minits.passes.fusion.fuse import groups_of
from minits.passes.pipeline import run_pipeline
from minits.passes.remarks import Remark
from minits.runtime.binding import Binder
from minits.types import types as t
from minits.types.tensor_meta import TensorMeta

__all__ = [
    "BeingBuilt", "Binder", "build_kernels", "building_now", "fused",
    "groups_in", "may_fuse", "warm_up",
]  # fmt: skip

Run = Callable[..., Any]
Kernels = list[tuple[Graph, list[TensorMeta | None]]]
"""The graph of each group, and the metadata of its inputs."""


def may_fuse(graph: Graph) -> bool:
    """Return whether there are operators that could be in a kernel."""
    return any(node.kind in LOWERINGS and _gives_tensor(node) for node in graph.all_nodes())


def _gives_tensor(node: Node) -> bool:
    return any(value.type == t.TENSOR for value in node.outputs)


def fused(graph: Graph, values: Sequence[Any], program: str) -> tuple[Graph, list[Remark], Kernels]:
    """Return a copy of a graph, fused for tensors of these dtypes, devices and ranks.

    Calls of other sizes may run it, as long as the same dimensions are of size one. `program` is
    the name of its function.
    """
    graph, context = clone_graph(graph), Context(arguments=values, program=program)
    run_pipeline(graph, "known-tensors", context)
    if is_wanted(graph):
        from minits.native.marking import mark_native_loops

        context.remarks += mark_native_loops(graph, context.metas)
    run_pipeline(graph, "kernels", context)
    kernels = [
        (node["Subgraph"], [context.metas.get(value) for value in node.inputs])
        for node in groups_of(graph)
    ]
    return graph, context.remarks, kernels


def build_kernels(graph: Graph, run: Run, kernels: Kernels, in_branches: bool = False) -> None:
    """Compile all kernels that calls of a new plan will need, into one shared library.

    Kernels in branches are included if `in_branches`; otherwise they are built when a call reaches
    them, as are kernels for inputs that turn out to be of another kind.
    """
    records = is_recording()
    functions = [
        group.made.unbuilt(metas, records)
        for node, group, metas in _reached(graph, run, kernels)
        if in_branches or not _is_in_branch(node)
    ]
    wanted = [function for function in functions if function is not None]
    if len(wanted) > 1:
        with suppress(NoCompiler):  # the call says so
            request(wanted)


def warm_up(graph: Graph, run: Run, kernels: Kernels) -> None:
    """Build all kernels of a plan whose inputs' dtypes and ranks are known, and wait for them."""
    with building_now():
        build_kernels(graph, run, kernels, in_branches=True)
    for _, group, metas in _reached(graph, run, kernels):
        group.made.warm_up(group.call, metas)


def _is_in_branch(node: Node) -> bool:
    while node.block is not None and node.block.owning_node is not None:
        node = node.block.owning_node
        if node.kind == "prim::If":
            return True
    return False


def _reached(graph: Graph, run: Run, kernels: Kernels) -> list[tuple[Node, Group, list[Any]]]:
    """Return each group that a generated function calls, with its node and its inputs' metadata.

    Code after an operator that always raises is not generated, and its groups are left out.
    """
    made = {id(group.body.graph): group for group in groups_in(run)}
    return [
        (node, made[id(body)], metas)
        for node, (body, metas) in zip(groups_of(graph), kernels, strict=True)
        if id(body) in made
    ]
