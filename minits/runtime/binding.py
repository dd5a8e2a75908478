"""Binding a plan's kernels to the shapes of a call.

Those kernels are bound that read the call's own tensors, as they were given:

    def block(x, w):                            def block(x, w):
        y = kernel_0(x)       -- bind(x, w) -->     y = launch(x)          for this shape of x
        z = mm(y, w)                                z = mm(y, w)
        return kernel_1(z)                          return kernel_1(z)

Which ones these are is found out once for each plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, NamedTuple

from minits.codegen.groups import Group, groups_in
from minits.ir.graph import Graph, Node, Value
from minits.passes.fusion.fuse import KIND, groups_of
from minits.passes.plan_passes import READS_WRITTEN
from minits.types import types as t

Run = Callable[..., Any]


class GroupCall(NamedTuple):
    """A call of a group in a generated function: its name there, and the indices of its arguments.

    An index is that of an argument of the plan; None stands for a number that the program computes.
    """

    name: str
    group: Group
    given: list[int | None]


class Binder:
    """Binds the kernels of a plan to shapes."""

    def __init__(self, graph: Graph, run: Run) -> None:
        self._run = run
        self._is_launch = _is_one_group(graph)
        self._group_calls = _group_calls(graph, run)

    def bind(self, values: Sequence[Any]) -> Run | None:
        """Return the plan's function with groups replaced by launchers for exactly these shapes.

        For a plan that only calls one group, return the launcher itself. None if there are no
        launchers. Raises BeingBuilt, CallRefused.
        """
        launches = {
            name: group.bind([None if index is None else values[index] for index in given])
            for name, group, given in self._group_calls
        }
        if self._is_launch:
            return next(iter(launches.values()), None)
        return self._calling(launches) if launches else None

    def bind_any_sizes(self, values: Sequence[Any]) -> Run | None:
        """Return the plan's function with groups replaced by launchers for any sizes.

        It is for calls of the plan's signature. None unless each of the groups has a launcher.
        """
        launches = {}
        for name, group, given in self._group_calls:
            launch = group.bind_any_sizes([None if i is None else values[i] for i in given])
            if launch is None:
                return None
            launches[name] = launch
        return self._calling(launches) if launches else None

    def _calling(self, launches: dict[str, Run]) -> Run:
        run = self._run
        made = FunctionType(run.__code__, {**run.__globals__, **launches})
        made.__qualname__ = run.__qualname__
        return made


def _group_calls(graph: Graph, run: Run) -> list[GroupCall]:
    """Return the groups whose tensors are arguments of the call."""
    inputs = {value: index for index, value in enumerate(graph.inputs)}
    names = {id(value): name for name, value in list(run.__globals__.items())}
    groups = {id(group.body.graph): group for group in groups_in(run)}
    calls = []
    for node in groups_of(graph):
        group = groups.get(id(node["Subgraph"]))
        if group is not None and _reads_arguments(node, inputs):
            given = [inputs.get(value) for value in node.inputs]
            calls.append(GroupCall(names[id(group.call)], group, given))
    return calls


def _reads_arguments(node: Node, inputs: dict[Value, int]) -> bool:
    tensors = [value for value in node.inputs if value.type == t.TENSOR]
    return READS_WRITTEN not in node.attributes and all(value in inputs for value in tensors)


def _is_one_group(graph: Graph) -> bool:
    nodes = [node for node in graph.block.nodes if node.kind != "prim::Constant"]
    return (
        len(nodes) == 1
        and nodes[0].kind == KIND
        and list(nodes[0].inputs) == list(graph.inputs)
        and list(nodes[0].outputs) == list(graph.outputs)
    )
