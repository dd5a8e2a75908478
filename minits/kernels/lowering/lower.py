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

from minits.ir.constants import is_constant_array
from minits.ir.graph import Graph, Node, Value
from minits.kernels.ir.kernel import Level, Scalar
from minits.kernels.lowering.laying import Arrangement
from minits.kernels.lowering.lowerer import Lowerer
from minits.kernels.lowering.promotion import Shape
from minits.kernels.lowering.result import Lowered, NotFusable, OutputTensor
from minits.kernels.lowering.row import At
from minits.kernels.lowering.sizes import Size, is_size
from minits.kernels.lowering.spaces import FULL, IndexMap, IterationSpace
from minits.kernels.lowering.table import LOWERINGS
from minits.ops.broadcasting import broadcast_shapes
from minits.types import types as t
from minits.types.subtyping import union_members
from minits.types.tensor_meta import TensorMeta


def lower(graph: Graph, metas: Sequence[TensorMeta | None]) -> Lowered:
    """Return the kernel of a group. `metas`: of its inputs, None for one that is no tensor.

    The group's inputs are tensors and numbers, its outputs are tensors. Raises NotFusable.
    """
    with _refusing():
        return _lower(graph, metas)


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


def _lower(graph: Graph, metas: Sequence[TensorMeta | None]) -> Lowered:
    if not graph.outputs:
        raise NotFusable("shape", "nobody reads what the group computes")
    leaves = dict(zip(graph.inputs, metas, strict=True))
    lowerer = Lowerer(LOWERINGS, leaves)
    nodes = _nodes_between(leaves, graph.outputs, graph)
    lowerer.settle_domain(nodes, graph.outputs)
    outputs = _Outputs(lowerer)
    indices = [outputs.add(value) for value in graph.outputs]
    if not _covers_domain(lowerer):
        raise NotFusable("shape", "the group's inputs do not have the shape of its outputs")
    kernel = lowerer.builder.finish()
    rank = len(lowerer.domain)
    lowered = Lowered(
        kernel, lowerer.loads.sources, lowerer.parameters, indices, graph, rank,
        _sizes_left(lowerer), outputs.made, Arrangement(LOWERINGS, graph, metas, lowerer.dtypes()),
        lowerer.computed(),
    )  # fmt: skip
    try:
        lowered.check_domain(lowerer.domain)
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


def can_fuse(node: Node, metas: Callable[[Value], TensorMeta | None]) -> NotFusable | None:
    """Return the reason why an operator can be in no group, or None if it can.

    What is around it is not looked at: its inputs are taken for inputs of a group.
    """
    try:
        with _refusing():
            _check(node, metas)
    except NotFusable as refusal:
        refusal.node = refusal.node or node
        return refusal
    return None


def _check(node: Node, metas: Callable[[Value], TensorMeta | None]) -> None:
    if node.kind not in LOWERINGS:
        raise NotFusable("not-elementwise", f"{node.kind} is not computed by kernels", node)
    leaves = {leaf: metas(leaf) for leaf in _tensors_and_numbers(node)}
    tensors = [value for value in node.outputs if value.type == t.TENSOR]
    results = [value for value in tensors if value.uses] or tensors
    lowerer = Lowerer(LOWERINGS, leaves, is_alone=True)
    if not results:
        _check_list(lowerer, node)
        return
    lowerer.settle_domain(_with_lists(node), results)
    for value in results:
        for index_map in _Outputs(lowerer).index_maps_of(value):
            lowerer.emit(value, index_map)


def _check_list(lowerer: Lowerer, node: Node) -> None:
    """Check an operator that gives a list of views."""
    views = lowerer.row(node).views
    if views is not None:
        if not _is_list_of_tensors(node.output):
            raise NotFusable("not-elementwise", "is of a list of numbers", node)
        views(At(lowerer, node, FULL), node.output)


def _with_lists(node: Node) -> list[Node]:
    """The node, after those that make the lists that it reads."""
    makers = [value.node for value in node.inputs if _is_list_of_tensors(value)]
    return [*makers, node]


_KNOWN = ("prim::Constant", "prim::ListConstruct")


def _tensors_and_numbers(node: Node) -> list[Value]:
    """The inputs of a node that are not known, through lists of tensors."""
    found: dict[Value, None] = {}
    stack = list(node.inputs)
    is_view = LOWERINGS[node.kind].views is not None
    while stack:
        value = stack.pop()
        if _is_list_of_tensors(value) or (is_view and is_read_through(value.node)):
            stack += value.node.inputs
        elif value.node.kind not in _KNOWN or is_constant_array(value):
            found[value] = None
    return list(found)


def is_read_through(node: Node) -> bool:
    """Return whether a view's operand from a node is followed up: sizes, and lists of them."""
    return node.kind == "prim::ListConstruct" or is_size(node)


def _is_list_of_tensors(value: Value) -> bool:
    return isinstance(value.type, t.ListType) and t.TENSOR in union_members(value.type.element)


def _covers_domain(lowerer: Lowerer) -> bool:
    """Return whether the sources broadcast to the domain, so that its sizes are known in a call."""
    shapes: list[Shape] = []
    for source in lowerer.loads.sources:
        sizes = tuple([1 if one else 2 for one in source.ones])
        shapes.append(sizes + (1,) * lowerer.reduced if source.row_aligned else sizes)
    return broadcast_shapes(*shapes) == tuple([1 if size == 1 else 2 for size in lowerer.domain])


def _sizes_left(lowerer: Lowerer) -> list[tuple[int, int]]:
    """Return the dimensions and sizes that are to be looked at in a call.

    Of a tensor that broadcasts to the domain itself, a size that is not one is the domain's.
    """
    return [each for each in dict.fromkeys(lowerer.sizes) if not _is_told(lowerer, *each)]


def _is_told(lowerer: Lowerer, dim: int, size: int) -> bool:
    formula = size.formula if isinstance(size, Size) else ()
    for source in lowerer.loads.sources:
        is_seen = not source.views and not source.looked_up
        if is_seen and formula[:2] == ("size", source.index):
            asked = formula[2] if formula[2] < 0 else formula[2] - len(source.ones)
            behind = lowerer.reduced if source.row_aligned else 0
            return asked - behind == dim and not source.ones[asked]
    return False


class _Outputs:
    """The tensors that a kernel writes."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer = lowerer
        self.made: list[OutputTensor] = []
        self._known: dict[tuple[Value, IndexMap], int] = {}

    def add(self, value: Value) -> int:
        """Make a value of the group a tensor that is written; return its index."""
        maps = self.index_maps_of(value)
        scalars = [self.lowerer.emit(value, index_map) for index_map in maps]
        key = (self._origin(value, maps[0]), maps[0])
        if key not in self._known:
            written = [
                self._write(value, index_map, scalar)
                for index_map, scalar in zip(maps, scalars, strict=True)
            ]
            parts = self.lowerer.parts if self.lowerer.is_whole(value) else None
            self._known[key] = len(self.made)
            self.made.append(OutputTensor(tuple(written), parts))
        return self._known[key]

    def _write(self, value: Value, index_map: IndexMap, scalar: Scalar) -> int:
        self._check_level(value, index_map, scalar)
        keepdim = scalar.level is Level.ROW and index_map.space is IterationSpace.FULL
        return self.lowerer.builder.output(scalar, keepdim)

    def index_maps_of(self, value: Value) -> list[IndexMap]:
        """Return in which space the value is a tensor of the kernel, or where its parts are.

        Raises NotFusable.
        """
        lowerer = self.lowerer
        shape, domain, rows = lowerer.shape(value), lowerer.domain, lowerer.rows
        if lowerer.is_whole(value):
            parts = lowerer.parts
            assert parts is not None
            views = [parts.view(number, len(shape)) for number in range(parts.pieces)]
            return [IndexMap(IterationSpace.FULL, (view,)) for view in views]
        if shape in (domain, rows + (1,) * lowerer.reduced):
            return [FULL]
        if shape == rows:
            return [IndexMap(IterationSpace.ROWS)]
        raise NotFusable("shape", f"a result of shape {shape} in a group of {domain}", value.node)

    def _check_level(self, value: Value, index_map: IndexMap, scalar: Scalar) -> None:
        """A value that is the same along rows is written once a row, and must look so."""
        lowerer = self.lowerer
        if index_map.space is IterationSpace.ROWS:
            return
        wanted = lowerer.shape(value) if index_map.views else lowerer.domain
        if scalar.level is Level.ROW:
            wanted = lowerer.rows + (1,) * lowerer.reduced if lowerer.reduced else ()
        if lowerer.shape(value) != wanted or (scalar.level is Level.ROW and not lowerer.reduced):
            raise NotFusable("shape", f"{value.node.kind} gives one number many times", value.node)

    def _origin(self, value: Value, index_map: IndexMap) -> Value:
        """Return the value of which eager's result is the very tensor, or a view.

        Raises NotFusable where that is an input of the group, or is seen otherwise.
        """
        lowerer = self.lowerer
        scalar = lowerer.emit(value, index_map)
        while value not in lowerer.leaves:
            row = lowerer.row(value.node)
            if row.views is not None or row.is_view:
                raise NotFusable("view", f"{value.node.kind} gives a view", value.node)
            source = value.node.inputs[0]
            if not row.may_alias or lowerer.shape(source) != lowerer.shape(value):
                return value
            if lowerer.emit(source, index_map) is not scalar:
                return value
            value = source
        raise NotFusable("view", "the group gives one of its inputs", None)
