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
from minits.kernels.cpu.any_sizes import Interface
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

    def arguments(self, values: Sequence[Any]) -> list[Any]:
        """Return the group's arguments among those of the plan."""
        return [None if index is None else values[index] for index in self.given]


class WholeCall(NamedTuple):
    """The call of a group that is all that a plan does, but for numbers and a tuple.

    `names` are those of the group's inputs, i0 and so on, in the order of the plan's arguments;
    `results` are the indices of the outputs that the plan returns, in a tuple unless `is_single`.
    If it `is_launch`, calling the group is calling the plan, with the same arguments.
    """

    call: GroupCall
    names: list[str]
    results: list[int]
    is_single: bool
    is_launch: bool


class Binder:
    """Binds the kernels of a plan to shapes. What it asks the graph for, it asks once."""

    def __init__(self, graph: Graph, run: Run) -> None:
        self._run = run
        self._group_calls = _group_calls(graph, run)
        self._whole = _whole_call(graph, self._group_calls)

    def bind(self, values: Sequence[Any]) -> Run | None:
        """Return the plan's function with groups replaced by launchers for exactly these shapes.

        For a plan that only calls one group, return the launcher itself. None if there are no
        launchers. Raises BeingBuilt, CallRefused.
        """
        launches = {
            call.name: call.group.bind(call.arguments(values)) for call in self._group_calls
        }
        if self._whole is not None and self._whole.is_launch:
            return next(iter(launches.values()))
        return self._calling(launches) if launches else None

    def bind_any_sizes(self, values: Sequence[Any]) -> Run | None:
        """Return the plan's function with groups replaced by launchers for any sizes.

        It is for calls of the plan's signature, whose tensors are plain. None unless each of the
        groups that read these has a launcher; others find theirs by what they are given.
        """
        launches = {}
        for call in self._group_calls:
            launch = call.group.cache.bind_any_sizes(call.arguments(values))
            if launch is None:
                return None
            launches[call.name] = launch
        return self._calling(launches) if launches else self._run

    def bind_whole(self, values: Sequence[Any], other: Run) -> Run | None:
        """Return a launcher for any sizes that does all that the plan does, or None.

        It is for calls as in `bind_any_sizes`; `other` is called for tensors that it does not
        accept.
        """
        if self._whole is None:
            return None
        call, names, results, is_single, _ = self._whole
        interface = Interface(names, results, is_single, other)
        return call.group.cache.bind_any_sizes(call.arguments(values), interface)

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


def _whole_call(graph: Graph, calls: Sequence[GroupCall]) -> WholeCall | None:
    """Return the call of the only group, if it reads all tensors of the plan and makes all results.

    What the group does not read are numbers.
    """
    nodes = [node for node in graph.block.nodes if node.kind != "prim::Constant"]
    results = list(graph.outputs)
    if len(nodes) == 2 and nodes[1].kind == "prim::TupleConstruct" and results == nodes[1].outputs:
        results = list(nodes.pop().inputs)
    if len(nodes) != 1 or nodes[0].kind != KIND or len(calls) != 1:
        return None
    node, given = nodes[0], calls[0].given
    outputs = {value: index for index, value in enumerate(node.outputs)}
    unread = [value for index, value in enumerate(graph.inputs) if index not in given]
    if (
        None in given
        or any(value not in outputs for value in results)
        or any(value.type not in _NO_TENSORS for value in unread)
    ):
        return None
    names = [
        f"i{given.index(index)}" if index in given else f"unread{index}"
        for index in range(len(graph.inputs))
    ]
    is_single = results == list(graph.outputs)
    is_launch = is_single and len(outputs) == 1 and list(node.inputs) == list(graph.inputs)
    return WholeCall(calls[0], names, [outputs[value] for value in results], is_single, is_launch)


_NO_TENSORS = (t.INT, t.FLOAT, t.BOOL, t.NONE)
