"""Geometry of a launch: where the tensors of one call lie, which a kernel's text leaves open.

A kernel with the domain [B, S, H], of x [B, S, H] and a bias [H]:

    domain    8, 128, 512      x: 65536, 512, 1      bias: 0, 0, 1      output: 65536, 512, 1
    merged    1024, 512        x: 512, 1             bias: 0, 1         output: 512, 1

Dimensions are put into the order of the output's memory and merged where each tensor moves through
two of them as through one. What is left as text is the `Layout`; the numbers are handed over at
each launch.

How results lie is told by `lowering/laying.py`, as eager has it.

Source: ATen/TensorIterator.cpp (reorder_dimensions, coalesce_dimensions)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod

import torch
from torch import Tensor

from minits.kernels.ir.kernel import Level
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.lowering.result import Lowered, NotFusable, OutputTensor, Source
from minits.ops.broadcasting import broadcast_shapes
from minits.ops.eager_strides import contiguous_strides, in_order, order_of
from minits.records import dataclass
from minits.torch_internals import storage_of

Numbers = tuple[int, ...]


class ShapeMismatch(RuntimeError):
    """A kernel does not fit the shapes of a call's tensors."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """The sizes of a launch. Strides and offsets are in elements.

    `sizes`, `input_strides` and `output_strides` are those of the merged dimensions.
    `input_offsets` say where the viewed tensors begin in those that the group is given,
    `output_offsets` where the kernel's outputs begin in the tensors that are made.
    `output_shapes` and `allocated_strides` are those of the tensors that are made. `tables` has for
    each input the sizes, then the strides of the dimensions that are looked up.
    """

    layout: Layout
    sizes: Numbers
    input_strides: tuple[Numbers, ...]
    output_strides: tuple[Numbers, ...]
    input_offsets: Numbers
    output_shapes: tuple[Numbers, ...]
    allocated_strides: tuple[Numbers, ...]
    output_offsets: Numbers
    tables: tuple[Numbers, ...]

    @property
    def count(self) -> int:
        """The number of indices of the domain."""
        return prod(self.sizes)

    def numbers(self) -> list[int]:
        """Return the array that a printed kernel takes: sizes, strides and offsets in elements."""
        strides = [*self.input_strides, *self.output_strides]
        flat = [stride for tensor in strides for stride in tensor]
        tables = [number for table in self.tables for number in table]
        return [*self.sizes, *flat, *self.input_offsets, *tables]


def geometry_of(lowered: Lowered, tensors: Sequence[Tensor | None]) -> Geometry:
    """Return the geometry of a launch with these inputs of the group (None: no tensor).

    Raises ShapeMismatch where it was made for other shapes, and where a reduction is over no
    elements, of which each operator has its own opinion.
    """
    lowered = _given(lowered, tensors)
    inputs, offsets = _viewed(lowered, tensors)
    domain = broadcast_domain(lowered, inputs)
    _check_tables(lowered, inputs)
    outer = len(domain) - lowered.reduced
    if 0 in domain[outer:]:
        raise ShapeMismatch("there is nothing to reduce over")
    strides = [
        _along(tensor, source, domain[:outer] if source.row_aligned else domain, len(domain))
        for tensor, source in zip(inputs, lowered.sources, strict=True)
    ]
    order = _order(domain, strides, lowered.kernel.reduced)
    made = _made_tensors(lowered, tensors, domain, order)
    outputs = [part for each in made for part in each.outputs]
    sizes = tuple([domain[dim] for dim in order])
    alone = 1 in sizes
    moves = [
        tuple([tensor[dim] if not alone or domain[dim] != 1 else 0 for dim in order])
        for tensor in [*strides, *[along for along, _ in outputs]]
    ]
    if not domain:
        sizes, moves = (1,), [(0,)] * len(moves)
    asked = lowered.positions
    apart = {index for index, dim in enumerate(order) if asked and dim - len(domain) in asked}
    groups = _merge(sizes, moves, outer if domain else 1, apart)
    merged = [tuple([tensor[group[-1]] for group in groups]) for tensor in moves]
    reads, writes = merged[: len(inputs)], merged[len(inputs) :]
    inner = sum(group[-1] >= outer for group in groups) if lowered.reduced else 0
    tables = [
        _table(tensor, source) if source.looked_up else ()
        for tensor, source in zip(inputs, lowered.sources, strict=True)
    ]
    layout = Layout(
        len(groups) - inner,
        inner,
        tuple(map(_kinds, reads)),
        tuple(map(_kinds, writes)),
        tuple([(dim, _group_of(dim + len(domain), order, groups)) for dim in sorted(asked)]),
        tuple([_kinds_of_table(table) if table else () for table in tables]),
    )
    return Geometry(
        layout,
        tuple([prod([sizes[dim] for dim in group]) for group in groups]),
        tuple(reads),
        tuple(writes),
        tuple(offsets),
        tuple([each.shape for each in made]),
        tuple([each.strides for each in made]),
        tuple([offset for _, offset in outputs]),
        tuple(tables),
    )


def _given(lowered: Lowered, tensors: Sequence[Tensor | None]) -> Lowered:
    try:
        return lowered.given(tensors)
    except RuntimeError as fault:
        raise ShapeMismatch(str(fault)) from None


def _viewed(lowered: Lowered, tensors: Sequence[Tensor | None]) -> tuple[list[Tensor], list[int]]:
    """Return the tensors that the kernel reads, and where they begin in those that are given."""
    viewed, offsets = [], []
    for source in lowered.sources:
        tensor = tensors[source.index]
        assert tensor is not None, "a kernel reads tensors"
        try:
            view = source.view(tensor)
        except RuntimeError as fault:
            raise ShapeMismatch(f"the kernel was made for other shapes: {fault}") from None
        viewed.append(view)
        if view is tensor:
            offsets.append(0)
            continue
        if storage_of(view) != storage_of(tensor):
            raise ShapeMismatch("a view of an input is a copy for its strides")
        parts = tensor.element_size() // view.element_size()  # two of a complex number
        offsets.append(view.storage_offset() - tensor.storage_offset() * parts)
    return viewed, offsets


def broadcast_domain(lowered: Lowered, inputs: Sequence[Tensor]) -> Numbers:
    """Return the shape that a kernel's viewed inputs broadcast to. Raises ShapeMismatch."""
    reduced = (1,) * lowered.reduced
    shapes = [
        source.shape_of(tensor.shape) + (reduced if source.row_aligned else ())
        for tensor, source in zip(inputs, lowered.sources, strict=True)
    ]
    try:
        shape = broadcast_shapes(*shapes)
    except RuntimeError as fault:
        raise ShapeMismatch(str(fault)) from None
    if len(shape) > lowered.rank:
        raise ShapeMismatch(f"the kernel has {lowered.rank} dimensions, the tensors {len(shape)}")
    domain = (1,) * (lowered.rank - len(shape)) + shape
    try:
        lowered.check_domain(domain)
    except RuntimeError as fault:
        raise ShapeMismatch(str(fault)) from None
    return domain


def _check_tables(lowered: Lowered, inputs: Sequence[Tensor]) -> None:
    """Raise ShapeMismatch for a table without elements."""
    for tensor, source in zip(inputs, lowered.sources, strict=True):
        if source.looked_up and 0 in tensor.shape[: source.looked_up]:
            raise ShapeMismatch("there is nothing to look up")


def _table(tensor: Tensor, source: Source) -> Numbers:
    """Return the sizes, then the strides of the dimensions that are looked up."""
    looked_up = source.looked_up
    return (*tensor.shape[:looked_up], *tensor.stride()[:looked_up])


def _kinds_of_table(table: Numbers) -> tuple[Stride, ...]:
    steps = table[len(table) // 2 :]
    return tuple([Stride.UNIT if step == 1 else Stride.ANY for step in steps])


def _along(tensor: Tensor, source: Source, shape: Numbers, rank: int) -> Numbers:
    """Return the strides of a tensor along the dimensions of a domain that begins with `shape`.

    Zero where it is broadcast; along dimensions of size one, what the tensor says.
    """
    sizes, strides = tensor.shape, tensor.stride()
    if source.looked_up:
        sizes, strides = sizes[source.looked_up :], strides[source.looked_up :]
    first = len(shape) - len(sizes)
    found = [0] * rank
    for dim, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        found[first + dim] = stride if size == shape[first + dim] else 0
    return tuple(found)


def _order(domain: Numbers, strides: Sequence[Numbers], reduced: int) -> list[int]:
    """Return the dimensions in the order of the inputs' memory, slowest first.

    Those that are reduced over stay where they are. What the strides leave open stays as well.
    """
    outer = len(domain) - reduced
    rows = [tensor[:outer] for tensor in strides]
    return [*order_of(rows, domain[:outer]), *range(outer, len(domain))]


class _OutputTensor:
    """A tensor that is made.

    `outputs` has for each kernel output that is written to it how that moves along the domain's
    dimensions, and where it begins.
    """

    def __init__(self, shape: Numbers, strides: Numbers, outputs: list[tuple[Numbers, int]]):
        self.shape = shape
        self.strides = strides
        self.outputs = outputs


def _made_tensors(
    lowered: Lowered, tensors: Sequence[Tensor | None], domain: Numbers, order: Sequence[int]
) -> list[_OutputTensor]:
    """Return the output tensors with eager's strides or, where these are unknown, in an order.

    What reduces is contiguous then, as the results of eager's reductions are.
    """
    shapes = [_shape_of(lowered, made, domain) for made in lowered.made]
    if lowered.arrangement is None:
        kept = range(len(domain)) if lowered.kernel.reduced else order
        strides = [
            in_order(shape, kept) if shape == domain else contiguous_strides(shape)
            for shape in shapes
        ]
    else:
        try:
            strides = lowered.arrangement.strides(tensors, lowered.outputs, shapes)
        except (NotFusable, RuntimeError, IndexError) as fault:
            raise ShapeMismatch(str(fault)) from None
    return [
        _made(lowered, *each, domain) for each in zip(lowered.made, shapes, strides, strict=True)
    ]


def _shape_of(lowered: Lowered, made: OutputTensor, domain: Numbers) -> Numbers:
    if made.parts is not None:
        return made.parts.whole(domain)
    kernel = lowered.kernel
    output = kernel.outputs[made.outputs[0]]
    if output.value.level is Level.FULL or not kernel.reduced:
        return domain
    rows = domain[: len(domain) - kernel.reduced]
    return rows + (1,) * kernel.reduced if output.keepdim else rows


def _made(
    lowered: Lowered, made: OutputTensor, shape: Numbers, strides: Numbers, domain: Numbers
) -> _OutputTensor:
    """Return an output tensor, with strides and offset of each of the kernel's outputs in it.

    Raises ShapeMismatch where it has no such views.
    """
    if made.parts is None:
        is_full = lowered.kernel.outputs[made.outputs[0]].value.level is Level.FULL
        rows = len(domain) if is_full else len(domain) - lowered.kernel.reduced
        along = strides[:rows] + (0,) * (len(domain) - rows)
        return _OutputTensor(shape, strides, [(along, 0)])
    whole = torch.empty_strided(shape, strides, device="meta")
    views = [lowered.part_view(output) for output in made.outputs]
    try:
        seen = [whole if view is None else view(whole) for view in views]
    except (RuntimeError, IndexError) as fault:
        raise ShapeMismatch(str(fault)) from None
    return _OutputTensor(shape, strides, [(part.stride(), part.storage_offset()) for part in seen])


def _merge(
    sizes: Numbers, moves: Sequence[Numbers], outer: int, apart: Collection[int] = ()
) -> list[list[int]]:
    """Return the groups of dimensions that become one, in order; those of size one are left out.

    The dimensions that are reduced over, `outer` and on, are kept apart from the others; those
    `apart` from all.
    """
    groups: list[list[int]] = []
    for dim, size in enumerate(sizes):
        if size == 1:
            continue
        last = groups[-1][-1] if groups else -1
        is_same_side = (last < outer) == (dim < outer)
        may_merge = is_same_side and last not in apart and dim not in apart
        if groups and may_merge and all(t[last] == t[dim] * size for t in moves):
            groups[-1].append(dim)
        else:
            groups.append([dim])
    has_inner = outer < len(sizes)
    if not groups or (has_inner and groups[-1][-1] < outer):
        groups.append([len(sizes) - 1])
    return groups


def _group_of(dim: int, order: Sequence[int], groups: Sequence[Sequence[int]]) -> int | None:
    """Return the merged dimension of a dimension of the domain; None for one of size one."""
    index = order.index(dim)
    found = [number for number, group in enumerate(groups) if index in group]
    return found[0] if found else None


def _kinds(strides: Numbers) -> tuple[Stride, ...]:
    """Return the classes of strides. Along the last dimension alone, one element is special."""
    last = len(strides) - 1
    return tuple(
        [
            Stride.ZERO
            if not stride
            else Stride.UNIT
            if stride == 1 and dim == last
            else Stride.ANY
            for dim, stride in enumerate(strides)
        ]
    )
