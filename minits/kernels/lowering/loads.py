"""Inputs of a kernel: the loads at the end of lowering, and the tables of look-ups.

    y = x.t() + 1       one source: the input x, seen through a transpose, at the level of elements

Each load has a `Source`: an input of the group, the views through which it is read, and whether it
is read for each element or for each row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minits.ir.graph import Value
from minits.kernels.ir.kernel import Level, Scalar
from minits.kernels.lowering.promotion import Shape
from minits.kernels.lowering.pushing import beneath, push
from minits.kernels.lowering.result import Extent, NotFusable, Source, View
from minits.kernels.lowering.row import At, check_dtype
from minits.kernels.lowering.seen import check_broadcasts, elements_of, seen_through
from minits.kernels.lowering.spaces import IndexMap, IterationSpace
from minits.records import replace

if TYPE_CHECKING:
    from minits.kernels.lowering.lowerer import Lowerer


class Loads:
    """The loads of the group that a `Lowerer` lowers; `sources` are in the order of the inputs."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer = lowerer
        self.sources: list[Source] = []
        self._known: dict[Any, int] = {}
        """The source that reads certain elements, if parts are read in several ways."""

    def load(self, leaf: Value, index_map: IndexMap) -> Scalar:
        """Return the scalar of an input of the group. Raises `NotFusable`."""
        lowerer = self.lowerer
        meta = lowerer.meta(leaf)
        seen = seen_through(meta, index_map.views)
        check_dtype(seen.dtype, None)
        shape = tuple(seen.shape)
        space = lowerer.space_shape(index_map.space)
        check_broadcasts(shape, space)
        level = self._level(shape, index_map.space)
        ones = tuple([size == 1 for size in shape])
        aligned = index_map.space is IterationSpace.ROWS
        source = Source(lowerer.indices[leaf], index_map.views, level, aligned, ones)
        where = leaf, index_map.space, elements_of(meta, index_map.views)
        known = self._known.get(where) if lowerer.parts is not None else None
        if known is not None:
            self.sources[known] = self.sources[known].seen_also(index_map.views)
            return lowerer.builder.load(known)
        self._known[where] = len(self.sources)
        self.sources.append(source)
        return lowerer.builder.load(lowerer.builder.input(seen.dtype, level))

    def table(
        self,
        at: At,
        value: Value,
        views: tuple[View, ...],
        looked_up: int,
        extents: tuple[Extent, ...],
    ) -> int:
        """Return the kernel's input for a table: an input of the group, or a view of one.

        Its first `looked_up` dimensions are indexed by numbers. Raises `NotFusable`.
        """
        lowerer, inner = self.lowerer, at.index_map.views
        if inner and extents:
            raise at.refuse("view", "is seen through a view")
        value, views = self._leaf_of(at, value, views)
        seen = seen_through(lowerer.meta(value), views)
        check_dtype(seen.dtype, at.node)
        if inner:
            rest = tuple(seen.shape[looked_up:])
            pushed = push(inner, rest, lowerer.shape(at.node.output))
            views += tuple([beneath(view, looked_up) for view in pushed])
            seen = seen_through(lowerer.meta(value), views)
        aligned = at.index_map.space is IterationSpace.ROWS
        index = lowerer.indices[value]
        source = Source(index, views, Level.FULL, aligned, (), (), looked_up, extents)
        shape = source.shape_of(seen.shape)
        space = lowerer.space_shape(at.index_map.space)
        check_broadcasts(shape, space)
        level = self._level(shape, at.index_map.space)
        ones = tuple([size == 1 for size in shape])
        self.sources.append(replace(source, level=level, ones=ones))
        return lowerer.builder.input(seen.dtype, level, looked_up)

    def _leaf_of(
        self, at: At, value: Value, views: tuple[View, ...]
    ) -> tuple[Value, tuple[View, ...]]:
        """Return the input that a table is a view of, and all views. Raises `NotFusable`."""
        lowerer = self.lowerer
        while value not in lowerer.leaves:
            if lowerer.row(value.node).views is None:
                text = f"{at.node.kind} looks up what {value.node.kind} computes"
                raise NotFusable("view", text, value.node)
            value, outer = lowerer.viewed(value)
            views = (*outer, *views)
        return value, views

    def _level(self, shape: Shape, space: IterationSpace) -> Level:
        """Return whether what has a shape is read for each element or for each row."""
        reduced = self.lowerer.reduced
        if reduced == 0:
            return Level.FULL
        if space is IterationSpace.ROWS:
            return Level.ROW
        varies = [size != 1 for size in shape[-reduced:]]
        is_row = any(size != 1 for size in self.lowerer.domain[-reduced:]) and not any(varies)
        return Level.ROW if is_row else Level.FULL
