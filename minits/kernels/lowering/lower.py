"""A group as a kernel, and whether an operator can be in one.

graph(%x : Tensor, %s : float):            kernel(reduced=0)
  %y : Tensor = aten::mul(%x, %s)            v0 = load(0)        sources: input 0
  %z : Tensor = aten::exp(%y)                v1 = parameter(0)   parameters: input 1
  return (%z)                                v2 = cast(v1)
                                             v3 = mul(v0, v2)
                                             v4 = exp(v3)
                                             output 0 = v4
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from minits.ir.graph import Graph, Node, Value
from minits.kernels.ir.kernel import Level, Scalar
from minits.kernels.lowering.laying import Arrangement
from minits.kernels.lowering.machine import FULL, Frame, Machine, Place
from minits.kernels.lowering.result import Lowered, Made, NotFusable
from minits.kernels.lowering.row import At
from minits.kernels.lowering.sizes import is_size
from minits.kernels.lowering.table import LOWERINGS
from minits.types import types as t
from minits.types.subtyping import union_members
from minits.types.tensor_meta import Fact


def lower(graph: Graph, facts: Sequence[Fact | None]) -> Lowered:
    """Return the kernel of a group. `facts` are those of its inputs, None for what is no tensor.

    The group's inputs are tensors and numbers, its outputs are tensors. Raises NotFusable.
    """
    with _refusing():
        return _lower(graph, facts)


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise NotFusable for arguments that no tensor of these sizes takes.

    Code that does not run, such as the branch for another rank, may have such arguments; code that
    runs gets its error from eager.
    """
    try:
        yield
    except _FAULTS as fault:
        raise NotFusable("shape", f"arguments that are wrong here: {fault}") from None


_FAULTS = (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError)


def _lower(graph: Graph, facts: Sequence[Fact | None]) -> Lowered:
    if not graph.outputs:
        raise NotFusable("shape", "nobody reads what the group computes")
    leaves = dict(zip(graph.inputs, facts, strict=True))
    machine = Machine(LOWERINGS, leaves)
    nodes = _nodes_between(leaves, graph.outputs, graph)
    machine.settle_domain(nodes, graph.outputs)
    outputs = _Outputs(machine)
    indices = [outputs.add(value) for value in graph.outputs]
    if not machine.covers_domain():
        raise NotFusable("shape", "the group's inputs do not have the shape of its outputs")
    kernel = machine.builder.finish()
    rank = len(machine.domain)
    lowered = Lowered(
        kernel, machine.sources, machine.parameters, indices, graph, rank, machine.sizes_left(),
        outputs.made, Arrangement(LOWERINGS, graph, facts, machine.dtypes()),
    )  # fmt: skip
    try:
        lowered.check_domain(machine.domain)
    except RuntimeError as fault:
        raise NotFusable("shape", str(fault)) from None
    return lowered


def _nodes_between(
    leaves: Mapping[Value, Any], outputs: Sequence[Value], graph: Graph
) -> list[Node]:
    """Return the nodes that make `outputs` out of `leaves`, in the graph's order."""
    needed: set[Node] = set()
    stack = list(outputs)
    while stack:
        value = stack.pop()
        node = value.node
        if value in leaves or node in needed or node.kind == "prim::Constant":
            continue
        needed.add(node)
        stack += node.inputs
    return [node for node in graph.nodes if node in needed]


def can_fuse(node: Node, facts: Callable[[Value], Fact | None]) -> NotFusable | None:
    """Return the reason why an operator can be in no group, or None if it can.

    What is around it is not looked at: its inputs are taken for inputs of a group.
    """
    try:
        with _refusing():
            _check(node, facts)
    except NotFusable as refusal:
        refusal.node = refusal.node or node
        return refusal
    return None


def _check(node: Node, facts: Callable[[Value], Fact | None]) -> None:
    if node.kind not in LOWERINGS:
        raise NotFusable("not-elementwise", f"{node.kind} is not computed by kernels", node)
    leaves = {leaf: facts(leaf) for leaf in _tensors_and_numbers(node)}
    tensors = [value for value in node.outputs if value.type == t.TENSOR]
    results = [value for value in tensors if value.uses] or tensors
    machine = Machine(LOWERINGS, leaves, is_alone=True)
    if not results:
        _check_list(machine, node)
        return
    machine.settle_domain(_with_lists(node), results)
    for value in results:
        for place in _Outputs(machine).places_of(value):
            machine.emit(value, place)


def _check_list(machine: Machine, node: Node) -> None:
    """Check an operator that gives a list of views."""
    views = machine.row(node).views
    if views is not None:
        if not _is_list_of_tensors(node.output):
            raise NotFusable("not-elementwise", "is of a list of numbers", node)
        views(At(machine, node, FULL), node.output)


def _with_lists(node: Node) -> list[Node]:
    """The node, after those that make the lists that it reads."""
    makers = [value.node for value in node.inputs if _is_list_of_tensors(value)]
    return [*makers, node]


def _tensors_and_numbers(node: Node) -> list[Value]:
    """The inputs of a node that are not known, through lists of tensors."""
    found: dict[Value, None] = {}
    stack = list(node.inputs)
    is_view = LOWERINGS[node.kind].views is not None
    while stack:
        value = stack.pop()
        if _is_list_of_tensors(value) or (is_view and is_read_through(value.node)):
            stack += value.node.inputs
        elif value.node.kind not in ("prim::Constant", "prim::ListConstruct"):
            found[value] = None
    return list(found)


def is_read_through(node: Node) -> bool:
    """Whether what a view takes from a node is followed further up: sizes, and lists of them."""
    return node.kind == "prim::ListConstruct" or is_size(node)


def _is_list_of_tensors(value: Value) -> bool:
    return isinstance(value.type, t.ListType) and t.TENSOR in union_members(value.type.element)


class _Outputs:
    """The tensors that a kernel writes."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.made: list[Made] = []
        self._known: dict[tuple[Value, Place], int] = {}

    def add(self, value: Value) -> int:
        """Make a value of the group a tensor that is written; return its index."""
        places = self.places_of(value)
        scalars = [self.machine.emit(value, place) for place in places]
        key = (self._origin(value, places[0]), places[0])
        if key not in self._known:
            written = [
                self._write(value, place, scalar)
                for place, scalar in zip(places, scalars, strict=True)
            ]
            parts = self.machine.parts if self.machine.is_whole(value) else None
            self._known[key] = len(self.made)
            self.made.append(Made(tuple(written), parts))
        return self._known[key]

    def _write(self, value: Value, place: Place, scalar: Scalar) -> int:
        self._check_level(value, place, scalar)
        keepdim = scalar.level is Level.ROW and place.frame is Frame.FULL
        return self.machine.builder.output(scalar, keepdim)

    def places_of(self, value: Value) -> list[Place]:
        """Return in which frame the value is a tensor of the kernel, or where its parts are."""
        machine = self.machine
        shape, domain, rows = machine.shape(value), machine.domain, machine.rows
        if machine.is_whole(value):
            parts = machine.parts
            assert parts is not None
            views = [parts.view(number, len(shape)) for number in range(parts.pieces)]
            return [Place(Frame.FULL, (view,)) for view in views]
        if shape in (domain, rows + (1,) * machine.reduced):
            return [FULL]
        if shape == rows:
            return [Place(Frame.ROWS)]
        raise NotFusable("shape", f"a result of shape {shape} in a group of {domain}", value.node)

    def _check_level(self, value: Value, place: Place, scalar: Scalar) -> None:
        """A value that is the same along rows is written once a row, and must look so."""
        machine = self.machine
        if place.frame is Frame.ROWS:
            return
        wanted = machine.shape(value) if place.views else machine.domain
        if scalar.level is Level.ROW:
            wanted = machine.rows + (1,) * machine.reduced if machine.reduced else ()
        if machine.shape(value) != wanted or (scalar.level is Level.ROW and not machine.reduced):
            raise NotFusable("shape", f"{value.node.kind} gives one number many times", value.node)

    def _origin(self, value: Value, place: Place) -> Value:
        """Return the value of which eager's result is the very tensor, or a view.

        Raises NotFusable where that is an input of the group, or is seen otherwise.
        """
        machine = self.machine
        scalar = machine.emit(value, place)
        while value not in machine.leaves:
            row = machine.row(value.node)
            if row.views is not None or row.is_view:
                raise NotFusable("view", f"{value.node.kind} gives a view", value.node)
            source = value.node.inputs[0]
            if not row.may_alias or machine.shape(source) != machine.shape(value):
                return value
            if machine.emit(source, place) is not scalar:
                return value
            value = source
        raise NotFusable("view", "the group gives one of its inputs", None)
