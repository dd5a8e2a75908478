"""The form of text that a launch needs, and its number of blocks."""

from __future__ import annotations

from math import prod

from minits.kernels.ir.kernel import Kernel, Level
from minits.kernels.ir.layout import Stride
from minits.kernels.launch.geometry import Geometry
from minits.kernels.schedule.cuda import Form, chunk_of, form_for

MOST_BLOCKS = (1 << 31) - 1
ALIGNED = 16
"""Bytes that are moved at once at most: chunks of so many begin at multiples of it."""


def blocks_of(kernel: Kernel, geometry: Geometry, form: Form) -> int:
    """Return the number of blocks of a launch: each thread then has one chunk, or one row."""
    layout, sizes = geometry.layout, geometry.sizes
    if layout.inner:
        rows = prod(sizes[: layout.outer])
        has_rows = any(output.value.level is Level.ROW for output in kernel.outputs)
        needed = -(-rows // form.rows) if has_rows or geometry.count else 0
    else:
        chunks = prod(sizes[:-1]) * -(-sizes[-1] // chunk_of(kernel, layout))
        needed = -(-chunks // form.block)
    return min(needed, MOST_BLOCKS)


def form_of(
    kernel: Kernel, geometry: Geometry, is_aligned: bool = True, shared_memory: int = 0
) -> Form:
    """Return the form of a launch, of inputs that begin at multiples of 16 bytes or do not.

    `shared_memory` is the number of bytes that a block may have of it.
    """
    layout, sizes = geometry.layout, geometry.sizes
    even = is_aligned and _has_whole_chunks(kernel, geometry)
    return form_for(kernel, layout, sizes, extent_of(geometry), even, shared_memory)


def _has_whole_chunks(kernel: Kernel, geometry: Geometry) -> bool:
    """Return whether all chunks are whole and aligned, if the inputs begin at aligned addresses."""
    layout, sizes = geometry.layout, geometry.sizes
    chunk, last = chunk_of(kernel, layout), layout.rank - 1
    if not layout.rank or sizes[last] % chunk:
        return False
    written = [output.value.dtype.itemsize for output in kernel.outputs]
    bytes_ = [*[given.dtype.itemsize for given in kernel.inputs], *written]
    kinds = [*layout.inputs, *layout.outputs]
    strides = [*geometry.input_strides, *geometry.output_strides]
    for each, kind, steps in zip(bytes_, kinds, strides, strict=True):
        if kind[-1] is Stride.UNIT:
            length = min(ALIGNED, each * chunk)
            moving = [step for step, size in zip(steps, sizes, strict=True) if size > 1]
            if any(step * each % length for step in moving[:-1]):
                return False
    offsets = zip(geometry.output_offsets, written, strict=True)
    return not any(offset * each % ALIGNED for offset, each in offsets)


def extent_of(geometry: Geometry) -> int:
    """Return the number of indices, or the elements that the furthest-reaching tensor spans."""
    reaches = [
        sum((size - 1) * step for size, step in zip(geometry.sizes, steps, strict=True)) + 1
        for steps in [*geometry.input_strides, *geometry.output_strides]
    ]
    for index, table in enumerate(geometry.tables):
        steps = zip(table[: len(table) // 2], table[len(table) // 2 :], strict=True)
        reaches[index] += sum((size - 1) * step for size, step in steps)
    return max([geometry.count, *reaches])
