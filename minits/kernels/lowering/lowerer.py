"""Lowering a group, from its outputs down to its loads.

A value is lowered through an *index map*: the views through which it is seen, and the space of the
indices. Elementwise operators ask for their operands through the same map; a view asks for what it
views, through a map of one more view; at an input of the group the views are handed to the load. So
views of computed values cost nothing, and a value that is seen in two ways is computed in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import torch

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Node, Value
from minits.ir.in_words import in_words
from minits.kernels.ir.builder import Builder
from minits.kernels.ir.kernel import Level, Scalar
from minits.kernels.lowering.joining import parts_of
from minits.kernels.lowering.loads import Loads
from minits.kernels.lowering.promotion import Operand, Shape
from minits.kernels.lowering.pushing import lies_along, push
from minits.kernels.lowering.result import NotFusable, Parts, View
from minits.kernels.lowering.row import At, Lowering, check_dtype
from minits.kernels.lowering.sizes import is_size
from minits.kernels.lowering.spaces import FULL, IndexMap, IterationSpace
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.types import types as t
from minits.types.tensor_meta import TensorMeta

_NUMBERS = {t.FLOAT: torch.float64, t.INT: torch.int64, t.BOOL: torch.bool}


class Lowerer:
    """Lowers the nodes between `leaves` and what is asked for.

    `leaves` are the group's inputs with what is known of them; `table` is LOWERINGS. If `is_alone`,
    one operator is looked at, and who computes its numbers is not known.
    """

    def __init__(
        self,
        table: Mapping[str, Lowering],
        leaves: Mapping[Value, TensorMeta | None],
        is_alone: bool = False,
    ) -> None:
        self.table = table
        self.leaves = leaves
        self.is_alone = is_alone
        self.indices = {leaf: index for index, leaf in enumerate(leaves)}
        self.loads = Loads(self)
        self.parameters: list[int] = []
        self.domain: Shape = ()
        self.parts: Parts | None = None
        """The parts of outputs that are larger than the domain."""
        self.sizes: list[tuple[int, int]] = []
        """See `Lowered.sizes`."""
        self._shapes: dict[Value, Shape] = {}
        self._scalars: dict[tuple[Value, IndexMap], Scalar] = {}
        self._numbers: dict[Value, Scalar] = {}
        self._check_devices()

    def _check_devices(self) -> None:
        devices = {meta.device for meta in self.leaves.values() if meta is not None}
        if len(devices) > 1:
            names = ", ".join(sorted(map(str, devices)))
            raise NotFusable("multi-device", f"the tensors are on {names}")
        for device in devices:
            if device.type not in ("cpu", "cuda"):
                raise NotFusable("device", f"there are no kernels for {device}")

    # ---- Shapes --------------------------------------------------------------------------------

    def shape(self, value: Value) -> Shape:
        """The example shape of a tensor. What is of size one there is so in every call."""
        found = self._shapes.get(value)
        if found is None:
            found = self._shapes[value] = self._shape(value)
        return found

    def _shape(self, value: Value) -> Shape:
        if value in self.leaves:
            return self.meta(value).shape
        constant = to_python(value)
        if isinstance(constant, torch.Tensor):
            return tuple(constant.shape)
        row = self.row(value.node)
        if row.views is None:
            return row.shape(self.at(value.node, value.index))
        viewed, views = self.viewed(value)
        return self._viewed(value.node, self.shape(viewed), views)

    def viewed(self, value: Value) -> tuple[Value, tuple[View, ...]]:
        """Return the value that a view is of, and the views in between."""
        row = self.row(value.node)
        assert row.views is not None
        return row.views(self.at(value.node), value)

    def _viewed(self, node: Node, shape: Shape, views: Iterable[View]) -> Shape:
        try:
            for view in views:
                shape = view.shape_of(shape)
        except (RuntimeError, IndexError) as fault:
            raise NotFusable("view", f"{node.kind}: {fault}", node) from None
        return shape

    def meta(self, leaf: Value) -> TensorMeta:
        """Metadata of a tensor that is given. Raises `NotFusable` where none is known."""
        meta = self.leaves[leaf]
        if meta is None:
            raise NotFusable("unknown-type", f"nothing is known of {in_words(leaf)}")
        return meta

    def device(self) -> torch.device | None:
        """The device of the group's tensors, if it has any."""
        return next((meta.device for meta in self.leaves.values() if meta is not None), None)

    @property
    def is_on_cpu(self) -> bool:
        device = self.device()
        return device is None or device.type == "cpu"

    def dtypes(self) -> dict[Value, torch.dtype]:
        """The dtypes of all values that are computed or read."""
        read = {leaf: meta.dtype for leaf, meta in self.leaves.items() if meta is not None}
        return {**read, **{value: scalar.dtype for (value, _), scalar in self._scalars.items()}}

    def computed(self) -> dict[Value, Scalar]:
        """The tensors that are computed of the whole domain, and the scalar of each."""
        return {
            value: scalar
            for (value, index_map), scalar in self._scalars.items()
            if index_map == FULL
            and scalar.level is Level.FULL
            and value not in self.leaves
            and self.shape(value) == self.domain
        }

    def dtype(self, at: At, value: Value) -> torch.dtype:
        """The dtype of a tensor, of which the elements are not wanted."""
        return self.meta(value).dtype if value in self.leaves else self.emit(value, FULL).dtype

    def at(self, node: Node, index: int = 0) -> At:
        return At(self, node, FULL, index)

    def row(self, node: Node) -> Lowering:
        """The rule that lowers a node. Raises `NotFusable` for an operator that has none."""
        row = self.table.get(node.kind)
        if row is None:
            raise NotFusable("not-elementwise", f"{node.kind} is not computed by kernels", node)
        return row

    # ---- The domain ----------------------------------------------------------------------------

    def settle_domain(self, nodes: Sequence[Node], outputs: Sequence[Value]) -> None:
        """Find the kernel's domain: what is reduced over, else the shape of the outputs.

        Raises `NotFusable`.
        """
        found: tuple[Shape, int, Node] | None = None
        for node in nodes:
            if is_size(node):
                continue
            row = self.row(node)
            for value in node.outputs:
                if value.type == t.TENSOR:
                    self.shape(value)
            reduced = self.reduces(node)
            if reduced:
                mine = (row.over(self.at(node)), reduced, node)
                if found is not None and found[:2] != mine[:2]:
                    raise NotFusable(
                        "reduction", f"{node.kind} and {found[2].kind} reduce unlike shapes", node
                    )
                found = mine
        if found is not None:
            self.domain, reduced = found[:2]
            self._settle_parts([node.outputs[0] for node in nodes if self.reduces_to_parts(node)])
        else:
            self.domain, reduced = self.shape(outputs[0]), 0
            self._settle_parts(outputs)
        self.builder = Builder(reduced)

    def _settle_parts(self, outputs: Sequence[Value]) -> None:
        """Make the domain that of the parts of which outputs are made, if there are any."""
        for value in outputs:
            parts = parts_of(self, value)
            if parts not in (None, self.parts) and self.parts is not None:
                raise NotFusable("shape", f"{value.node.kind} has other parts", value.node)
            if parts is not None and self.parts is None:
                self.parts, self.domain = parts, parts.part(self.shape(value))

    def reduces_to_parts(self, node: Node) -> bool:
        """Return whether an operator reduces, and its result is made of parts."""
        return not is_size(node) and self.row(node).parts is not None and self.reduces(node) > 0

    def is_whole(self, value: Value) -> bool:
        """Return whether a value is an output that is made of parts."""
        return self.parts is not None and self.shape(value) == self.parts.whole(self.domain)

    def reduces(self, node: Node) -> int:
        """Return the number of the domain's last dimensions that the operator reduces over."""
        row = self.row(node)
        return row.reduces(self.at(node)) if row.reduces is not None else 0

    @property
    def reduced(self) -> int:
        return self.builder.kernel.reduced

    @property
    def rows(self) -> Shape:
        """The domain's leading dimensions."""
        return self.domain[: len(self.domain) - self.reduced]

    def space_shape(self, space: IterationSpace) -> Shape:
        return self.domain if space is IterationSpace.FULL else self.rows

    def domain_dim(self, index_map: IndexMap, dim: int) -> int:
        """The dimension of the domain of one of a tensor's; both are counted from the last."""
        return dim - self.reduced if index_map.space is IterationSpace.ROWS else dim

    # ---- Values --------------------------------------------------------------------------------

    def operand(self, at: At, value: Value, views: tuple[View, ...] = ()) -> Operand:
        """Return an argument of the node `at`, seen through its index map. Raises `NotFusable`."""
        if value.type in _NUMBERS:
            return self._number(value)
        constant = to_python(value)
        if isinstance(constant, torch.Tensor) and value not in self.leaves:
            if constant.dim() > 0:
                raise at.refuse("not-elementwise", "of a constant tensor is not lowered")
            if constant.requires_grad:
                raise at.refuse("not-elementwise", "of a constant with a gradient is not lowered")
            check_dtype(constant.dtype, at.node)
            return Operand(constant.dtype, (), None, constant.item())
        if value.type != t.TENSOR:
            raise at.refuse("unknown-type", f"has an operand of type {value.type}")
        shape = self.shape(value)
        seen = self._viewed(at.node, shape, views)
        mine = self.map_of_operand(at, seen)
        scalar = self.emit(value, IndexMap(mine.space, (*views, *mine.views)))
        return Operand(scalar.dtype, shape, scalar)

    def map_of_operand(self, at: At, shape: Shape) -> IndexMap:
        """Return the index map at which the node `at` wants an operand of the shape."""
        index_map = at.index_map
        if not index_map.views:
            return index_map
        return IndexMap(
            index_map.space, push(index_map.views, shape, self.shape(at.node.outputs[0]))
        )

    def _number(self, value: Value) -> Operand:
        dtype = _NUMBERS[value.type]  # type: ignore[index]
        constant = to_python(value)
        if constant is not NOT_CONSTANT:
            return Operand(dtype, None, None, constant)
        scalar = self._numbers.get(value)
        if scalar is None:
            if value not in self.leaves:
                raise NotFusable("not-elementwise", f"{value.node.kind} of numbers", value.node)
            self.parameters.append(self.indices[value])
            scalar = self._numbers[value] = self.builder.parameter(dtype)
        return Operand(dtype, None, scalar)

    def emit(self, value: Value, index_map: IndexMap) -> Scalar:
        """Return the scalar of a tensor that is seen through an index map."""
        key = (value, index_map)
        found = self._scalars.get(key)
        if found is None:
            found = self._scalars[key] = self._emit(value, index_map)
        return found

    def _emit(self, value: Value, index_map: IndexMap) -> Scalar:
        if value in self.leaves:
            return self.loads.load(value, index_map)
        node = value.node
        row = self.row(node)
        if self.reduces(node):
            return self._reduction(value, row, index_map)
        if row.views is not None:
            viewed, views = self.viewed(value)
            return self.emit(viewed, IndexMap(index_map.space, (*views, *index_map.views)))
        return self._apply(value, row, index_map)

    def _apply(self, value: Value, row: Lowering, index_map: IndexMap) -> Scalar:
        assert row.emit is not None
        outer, self.builder.range = self.builder.range, value.node.range
        try:
            return row.emit(At(self, value.node, index_map, value.index))
        except OverflowError as fault:
            raise NotFusable("dtype", f"{value.node.kind}: {fault}", value.node) from None
        except NotFusable as refusal:
            refusal.node = refusal.node or value.node
            raise
        finally:
            self.builder.range = outer

    def _reduction(self, value: Value, row: Lowering, index_map: IndexMap) -> Scalar:
        """The scalar of what reduces. It is computed over the domain, wherever it is wanted."""
        node = value.node
        if row.is_row:
            outer, space = len(self.rows), len(self.space_shape(index_map.space))
            if not lies_along(index_map.views, self.shape(value), outer, space):
                raise NotFusable("reduction", f"{node.kind} is not used along its rows", node)
        elif index_map != self._reduced_at(value):
            raise NotFusable("reduction", f"what {node.kind} gives is used by parts", node)
        key = (value, FULL)
        if key not in self._scalars:
            self._scalars[key] = self._apply(value, row, self._reduced_at(value))
        return self._scalars[key]

    def _reduced_at(self, value: Value) -> IndexMap:
        """The index map with which a reduction is emitted."""
        row = self.row(value.node)
        parts = row.parts(self.at(value.node)) if row.parts is not None else None
        if parts is None:
            return FULL
        return IndexMap(IterationSpace.FULL, (parts.view(0, len(self.shape(value))),))

    @staticmethod
    def takes(op: str, dtype: torch.dtype) -> bool:
        """Return whether there is an operation on scalars of the dtype."""
        return op in SCALAR_OPS and SCALAR_OPS[op].takes(dtype)
