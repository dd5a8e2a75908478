"""Declarations in C, before all loops: sizes, and buffers in which values wait between two loops.

    const long long n0 = g[0];                                  declare_sizes
    const long long count = n1;
    long long offset_in0[16];                                   declare_tile
    float of_row_v3[16];
    float sum_v3[64];                                           declare_neighbours

The sizes come first. Then there is a tile of rows or a group of neighbouring ones.
"""

from __future__ import annotations

from minits.kernels.cpu.c_printer.expressions import accumulators, scan_type
from minits.kernels.cpu.c_printer.function_body import RARE_TYPES, FunctionBody, rare_flag
from minits.kernels.ir.layout import Stride
from minits.kernels.scalar_ops.row import C_TYPES
from minits.kernels.schedule.loops import Buffer, Locate


def declare_sizes(body: FunctionBody) -> None:
    """Declare sizes and steps, the number of elements of a row, and what is noted of operands."""
    layout = body.layout
    for dim in range(layout.rank):
        body.add(f"const long long n{dim} = g[{dim}];")
    for table, strides in enumerate(layout.tables):
        for dim, stride in enumerate(strides):
            if stride is Stride.ANY:
                step = body.arguments.table_number(table, len(strides) + dim)
                body.add(f"const long long step{table}_{dim} = {step};")
    if body.kernel.has_checks:
        body.add("int failed = 0;")
    for dtype in body.rare:
        body.add(f"{RARE_TYPES[dtype]} {rare_flag(dtype)} = 0;")
    if layout.inner:
        sizes = [f"n{dim}" for dim in range(layout.outer, layout.rank)]
        body.add(f"const long long count = {' * '.join(sizes)};")


def declare_tile(body: FunctionBody, located: Locate) -> None:
    """Declare what is known of the rows of a tile."""
    most = body.schedule.loop.rows
    for number in located.tensors:
        body.add(f"long long offset_{body.arguments.tensors[number].name}[{most}];")
    for dim in located.dims:
        body.add(f"long long at_{dim}[{most}];")
    _declare_kept(body)
    for value in body.schedule.written(Buffer.BLOCK):
        text = f"{C_TYPES[value.dtype]} block_{body.names[value]}[{body.schedule.block}]"
        body.add(f"{text} __attribute__((aligned(64)));")
    for value in body.schedule.written(Buffer.ROW):
        body.add(f"{C_TYPES[value.dtype]} of_row_{body.names[value]}[{most}];")


def _declare_kept(body: FunctionBody) -> None:
    """Declare the buffers of a row, or of a tile's rows: all on the heap if a row is long."""
    kept, near = body.schedule.written(Buffer.KEPT), body.schedule.near
    if not kept:
        return
    types = [C_TYPES[value.dtype] for value in kept]
    body.add("const long long room = (count + 15) / 16 * 16;")
    size = " + ".join(f"sizeof({type})" for type in types)
    body.add(f"char *const far = count > {near} ? malloc(room * ({size})) : 0;")
    body.add(f"if (count > {near} && !far) return 1;")
    past = "far"
    for value, type in zip(kept, types, strict=True):
        name = body.names[value]
        body.add(f"{type} near_{name}[{near}] __attribute__((aligned(64)));")
        body.add(f"{type} *restrict all_{name} = far ? ({type} *)({past}) : near_{name};")
        past += f" + room * sizeof({type})"


def declare_neighbours(body: FunctionBody, rows: int) -> None:
    """Declare what is known of neighbouring rows, and their accumulators."""
    for value in body.schedule.written(Buffer.KEPT):
        body.add(f"{C_TYPES[value.dtype]} kept_{body.names[value]}[{body.schedule.near * rows}];")
    waiting = body.schedule.written(Buffer.ROW)
    for value in body.kernel.values:
        name = body.names[value]
        arrays = [(C_TYPES[value.dtype], "row")] if value in waiting else []
        if value.is_reduction:
            found = accumulators(value, side_by_side=True)
            arrays += sorted([each[:2] for each in found], key=lambda each: each[1] != "sum")
        if value.is_scan:
            arrays.append((scan_type(value), "scan"))
        for type, prefix in arrays:
            body.add(f"{type} {prefix}_{name}[{rows}];")
