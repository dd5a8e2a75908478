"""The body of a kernel that reduces nothing: a grid-stride loop over chunks."""

from __future__ import annotations

from minits.kernels.cuda.cuda_printer.expressions import (
    commented,
    expression,
    loaded,
    stored,
)
from minits.kernels.cuda.cuda_printer.text import (
    Lines,
    declare_indices,
    element,
    flat_index,
    looked_up,
    offset,
    position,
    read,
    write,
)
from minits.kernels.ir.kernel import Kernel, Level, Scalar
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.ir.printing import STORED, Names
from minits.kernels.scalar_ops.row import C_TYPES


def print_elementwise(lines: Lines, kernel: Kernel, layout: Layout, names: Names) -> None:
    """Write the statements. Values that are the same everywhere are computed once a thread."""
    uniform = [v for v in kernel.values if v.level is Level.ROW and v.op != "constant"]
    full = [value for value in kernel.values if value.level is Level.FULL]
    last = layout.rank - 1
    for value in uniform:
        declare(lines, value, expression(value, names), names)
    lines(f"const Index chunks = (g.size{last} + CHUNK - 1) / CHUNK;")
    others = "".join([f"g.size{dim} * " for dim in range(last)])
    lines(f"const Index work = {others}chunks;")
    lines("const Index step = (Index)gridDim.x * blockDim.x;")
    start = "(Index)blockIdx.x * blockDim.x + threadIdx.x"
    with lines.block(f"for (Index i = {start}; i < work; i += step)"):
        declare_indices(lines, "i", range(layout.rank), "chunks")
        declare_filled(lines, last)
        loads = [value.payload for value in full if value.op == "load"]
        read(lines, kernel, layout, loads, "in")
        for index, output in enumerate(kernel.outputs):
            lines(f"Chunk<{STORED[output.value.dtype]}> y{index};")
        with lines.unrolled("for (int k = 0; k < CHUNK; ++k)"):
            declare_full(lines, full, layout, names)
            store_elements(lines, kernel, list(range(len(kernel.outputs))), names)
        write(lines, layout, range(len(kernel.outputs)), "out")


def declare_filled(lines: Lines, last: int) -> None:
    """How much of a chunk is there: the last one of a row may not be full."""
    lines(f"const Index left = g.size{last} - i{last};")
    lines("const int filled = left < CHUNK ? (int)left : CHUNK;")


def declare(lines: Lines, value: Scalar, text: str, names: Names) -> None:
    """Write `const float v3 = ...;` with its source line."""
    lines(commented(f"const {C_TYPES[value.dtype]} {names[value]} = {text};", value))


def declare_full(lines: Lines, values: list[Scalar], layout: Layout, names: Names) -> None:
    """Write the values at element `k` of the chunks that have been read."""
    for value in values:
        if value.op == "load":
            text = loaded(element(layout, value.payload), value.dtype)
        elif value.op == "look_up":
            text = loaded(_looked_up(value, layout, names), value.dtype)
        elif value.op == "position":
            text = position(value, layout)
        elif value.op == "index":
            text = flat_index(layout)
        else:
            text = expression(value, names)
        declare(lines, value, text, names)


def _looked_up(value: Scalar, layout: Layout, names: Names) -> str:
    """Return an element of a table; past the end of the chunk, some element."""
    place = "row_in" if layout.inner else "in"
    dims = range(layout.outer if layout.inner else 0, layout.rank)
    strides = layout.inputs[value.payload]
    moved = offset(f"in{value.payload}", strides, dims)
    if strides[-1] is Stride.UNIT:
        moved += " + k"
    if strides[-1] is Stride.ANY:
        moved += f" + k * g.in{value.payload}_{layout.rank - 1}"
    return looked_up(value, place, moved, names, "k < filled")


def store_elements(lines: Lines, kernel: Kernel, outputs: list[int], names: Names) -> None:
    """Put element `k` of some outputs into their chunks."""
    for index in outputs:
        value = kernel.outputs[index].value
        lines(f"y{index}.at[k] = {stored(names[value], value.dtype)};")
