"""The shape of a row of the table of lowerings, and what a row gets to work with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import torch

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Node, Value
from minits.kernels.ir.builder import Builder
from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering.promotion import Operand, Shape, result_type
from minits.kernels.lowering.result import Code, Extent, NotFusable, Parts, View
from minits.kernels.lowering.sizes import size_of
from minits.kernels.scalar_ops.row import computed_in, kind_of
from minits.ops.broadcasting import broadcast_shapes
from minits.ops.properties import schema_of
from minits.records import dataclass
from minits.types import types as t

if TYPE_CHECKING:
    from minits.kernels.lowering.laying import Layouts
    from minits.kernels.lowering.lowerer import Lowerer
    from minits.kernels.lowering.spaces import IndexMap
    from minits.kernels.lowering.stride_rules import Laid


class At:
    """A node that is emitted through an index map: its arguments, by the names of its schema."""

    __slots__ = ("_names", "index", "index_map", "lowerer", "node")

    def __init__(self, lowerer: Lowerer, node: Node, index_map: IndexMap, index: int = 0) -> None:
        self.lowerer = lowerer
        self.node = node
        self.index_map = index_map
        self.index = index
        self._names: dict[str, Value] | None = None

    @property
    def k(self) -> Builder:
        return self.lowerer.builder

    def argument(self, name: str) -> Value | None:
        """The value given for a parameter, or None if the overload has no such parameter.

        Raises `NotFusable`.
        """
        if self._names is None:
            schema = schema_of(self.node)
            if schema is None:
                raise NotFusable("unknown-type", f"{self.node.kind} is called strangely", self.node)
            names = [argument.name for argument in schema.arguments]
            self._names = dict(zip(names, self.node.inputs, strict=False))
        return self._names.get(name)

    def has(self, name: str) -> bool:
        """Return whether an argument is given, and is not None."""
        value = self.argument(name)
        return value is not None and value.type != t.NONE and to_python(value) is not None

    def constant(self, name: str, default: Any = None) -> Any:
        """An argument that must be known; `default` if the overload has no such parameter.

        Raises `NotFusable`.
        """
        value = self.argument(name)
        if value is None:
            return default
        found = known(value)
        if found is NOT_CONSTANT:
            message = f"the argument {name} of {self.node.kind} is not a constant"
            raise NotFusable("not-constant", message, self.node)
        return found

    def size(self, name: str, default: Any = None) -> Any:
        """Like `constant`, for numbers that may be a `Size`, or lists of such."""
        value = self.argument(name)
        if value is None:
            return default
        items = value.node.inputs if value.node.kind == "prim::ListConstruct" else [value]
        found = [size_of(self.lowerer, item) for item in items]
        if any(item is NOT_CONSTANT for item in found):
            return self.constant(name)
        return found if value.node.kind == "prim::ListConstruct" else found[0]

    # ---- Operands ------------------------------------------------------------------------------

    def operand(self, name: str, *views: View) -> Operand:
        """A tensor or number as a scalar. A tensor is seen through the index map, after `views`."""
        value = self.argument(name)
        assert value is not None, f"{self.node.kind} has no {name}"
        return self.lowerer.operand(self, value, views)

    def table(self, name: str, looked_up: int, *views: View, extents: Sequence[Extent] = ()) -> int:
        """Return the kernel's input for a tensor of which elements are looked up.

        The first dimensions behind the views are looked up, the others broadcast to the result's.

        Raises `NotFusable`.
        """
        value = self.argument(name)
        if value is None:
            raise self.refuse("not-elementwise", f"has no {name}")
        return self.lowerer.loads.table(self, value, views, looked_up, tuple(extents))

    def position(self, dim: int) -> Scalar:
        """The index along a dimension of the result, which is counted from the last, -1.

        Raises `NotFusable`.
        """
        lowerer = self.lowerer
        if self.index_map.views:
            raise self.refuse("view", "is seen through a view")
        if lowerer.shape(self.node.output)[dim] == 1:
            return self.k.constant(0, torch.int64)
        return self.k.position(lowerer.domain_dim(self.index_map, dim))

    def operands(self) -> list[Operand]:
        """All arguments that are tensors or numbers, in order."""
        values = [value for value in self.node.inputs if value.type in (*OPERANDS, t.NUMBER)]
        return [self.lowerer.operand(self, value) for value in values]

    def floating(self, *names: str) -> tuple[torch.dtype, list[Scalar]]:
        """The promoted dtype of tensors, and the tensors in the dtype it is computed in.

        Tensors that are not given are left out. Raises NotFusable if the dtype is not floating.
        """
        operands = [self.operand(name) for name in names if self.has(name)]
        dtype = result_type(operands)
        if not dtype.is_floating_point:
            raise self.refuse_dtype(dtype)
        return dtype, [operand.widened(self.k, dtype) for operand in operands]

    def number(self, name: str, dtype: torch.dtype) -> Scalar:
        """A number as a scalar of the dtype in which operations of `dtype` are computed."""
        return self.operand(name).to(self.k, computed_in(dtype))

    def rank(self, name: str = "self") -> int:
        return len(self.shape(name))

    def dim(self, name: str, rank: int) -> int:
        """A dimension that must be known, counted from the first. Raises `NotFusable`."""
        found = self.constant(name)
        if not isinstance(found, int) or not -max(rank, 1) <= found < max(rank, 1):
            raise self.refuse("shape", f"has no dimension {found}")
        return found % max(rank, 1)

    def shape(self, name: str) -> Shape:
        """The example shape of an argument. Raises `NotFusable` for one that is no tensor."""
        value = self.argument(name)
        if value is None:  # of a list: aten::slice has overloads for both
            raise self.refuse("not-elementwise", f"has no tensor {name}")
        return self.lowerer.shape(value)

    def broadcast(self, values: list[Value]) -> Shape:
        """The shape that tensors broadcast to. Raises `NotFusable` where they do not."""
        shapes = [self.lowerer.shape(value) for value in values]
        try:
            return broadcast_shapes(*shapes)
        except RuntimeError:
            message = f"shapes {', '.join(map(str, shapes))} do not broadcast"
            raise NotFusable("shape", message, self.node) from None

    # ---- Making scalars ------------------------------------------------------------------------

    def apply(self, op: str, *operands: Scalar) -> Scalar:
        """Apply a row of `SCALAR_OPS`. Raises NotFusable for a dtype that it has no text for."""
        dtype = operands[-1].dtype
        if not self.lowerer.takes(op, computed_in(dtype)):
            raise self.refuse_dtype(dtype)
        return self.k(op, *operands)

    def sloped(self, found: Scalar, *slopes: tuple[Scalar, Scalar]) -> Scalar:
        """Return `found`, of which gradients flow to values by their slopes, and nowhere else.

        `slopes` are pairs of a value and the derivative by it, which can be differentiated itself.
        """
        found = self.apply("detach", found)
        for value, slope in slopes:
            found = self.apply("sloped", found, value, slope)
        return found

    def refuse(self, code: Code, message: str) -> NotFusable:
        return NotFusable(code, f"{self.node.kind} {message}", self.node)

    def refuse_dtype(self, dtype: torch.dtype) -> NotFusable:
        return self.refuse("dtype", f"of {str(dtype).removeprefix('torch.')} has no kernel")


OPERANDS = (t.TENSOR, t.FLOAT, t.INT, t.BOOL)
"""The types of arguments that are operands of an elementwise operator."""


def known(value: Value) -> Any:
    """Return the value of a constant, or of a list of constants; else NOT_CONSTANT."""
    if value.node.kind != "prim::ListConstruct":
        return to_python(value)
    items = [to_python(item) for item in value.node.inputs]
    return NOT_CONSTANT if any(item is NOT_CONSTANT for item in items) else items


def is_complex(lowerer: Lowerer, value: Value) -> bool:
    """Return whether a tensor is a given complex one or a view of it; none are computed."""
    row = lowerer.table.get(value.node.kind)
    while value not in lowerer.leaves and row is not None and row.views is not None:
        value = lowerer.viewed(value)[0]
        row = lowerer.table.get(value.node.kind)
    meta = lowerer.leaves.get(value)
    return meta is not None and meta.dtype.is_complex


def of_all_tensors(at: At) -> Shape:
    """The shape of an elementwise operator's result."""
    return at.broadcast([value for value in at.node.inputs if value.type == t.TENSOR])


def of_tensors(*names: str) -> Callable[[At], Shape]:
    """The shape of what these arguments broadcast to; those not given are left out."""

    def shape(at: At) -> Shape:
        values = [at.argument(name) for name in names if at.has(name)]
        return at.broadcast([value for value in values if value is not None])

    return shape


def of_first(at: At) -> Shape:
    """The shape of the first argument."""
    return at.lowerer.shape(at.node.inputs[0])


StrideRule = Callable[["Layouts", At, Shape], "Shape | Laid"]
"""Returns the strides of a result of a shape, or the very tensor that it is."""


@dataclass(frozen=True, slots=True)
class Lowering:
    """The lowering of an operator: how it becomes part of a kernel.

    `emit` makes the scalar of the result (of output number `at.index`). `shape` gives the
    result's shape.

    Where the operator reduces, `reduces` tells how many of the last dimensions of `over` (a shape)
    are reduced, 0 for none; it raises NotFusable where they are not the last ones. `emit` is then
    called where the kernel's domain is `over`. `is_row` says that the result is constant over
    those dimensions.

    `may_alias` says that eager may give the first argument itself, `is_view` that it gives a view.

    `parts` tells of which parts the result is made, if it is (`Parts`). What reduces is then
    emitted where the first of them is seen.

    `loops` is how many loops over memory eager takes for it, as far as it matters: 0 if it computes
    nothing, 2 if so many that a kernel of this operator alone pays.

    `strides` gives the strides of the result as in eager, where these are not contiguous (`is_row`)
    or those of one loop over elements (all others). If they depend on the sizes of parts of
    tensors, the row is `laid_by_parts`.

    Most views have `views` instead of `emit`: it gives the value that is viewed and what is applied
    to it. Where an operator gives a list of views, it is asked for one of the list.
    """

    emit: Callable[[At], Scalar] | None = None
    shape: Callable[[At], Shape] = of_all_tensors
    reduces: Callable[[At], int] | None = None
    over: Callable[[At], Shape] = of_first
    is_row: bool = False
    may_alias: bool = False
    is_view: bool = False
    parts: Callable[[At], Parts | None] | None = None
    views: Callable[[At, Value], tuple[Value, tuple[View, ...]]] | None = None
    loops: int = 1
    strides: StrideRule | None = None
    laid_by_parts: bool = False


def check_dtype(dtype: torch.dtype, node: Node | None) -> None:
    """Raise NotFusable for a dtype that kernels do not compute with."""
    if not kind_of(dtype):
        name = str(dtype).removeprefix("torch.")
        raise NotFusable("dtype", f"kernels do not compute with {name}", node)
