"""Statements of a schedule as C: what is read, computed, accumulated and written.

    const float *restrict row_in0 = in0 + offset_in0[r];        Point
    const float v1 = v0 * 2.0f;                                 Let
    sum_v2 += v1;                                               Accumulate
    row_out0[0] = of_row_v2[r];                                 Store

Loops, and statements that have others within them, are written by `loops`.
"""

from __future__ import annotations

from minits.kernels.cpu.c_printer.expressions import (
    COMBINE,
    SCAN_STARTS,
    SCANNED,
    accumulate_extreme,
    accumulate_extremes,
    accumulators,
    add_block,
    comment,
    expression,
    rare_test,
    reduced,
    rounded,
    stored,
)
from minits.kernels.cpu.c_printer.function_body import FunctionBody, rare_flag
from minits.kernels.ir.kernel import Scalar
from minits.kernels.scalar_ops.row import C_TYPES, SHORT_NAMES
from minits.kernels.schedule.loops import (
    Accumulate,
    AddBlock,
    Buffer,
    Finish,
    Let,
    Locate,
    Point,
    Read,
    Scan,
    Start,
    Statement,
    Store,
    SumBlock,
    Write,
)
from minits.kernels.schedule.usual import rare_dtype


def value_text(body: FunctionBody, value: Scalar) -> str:
    """Return the expression that a value is declared with."""
    text = body.elements.text(value)
    if text is None:
        text = expression(value, body.names, body.takes_all, body.schedule.calls.get(value))
    return text


def write_statement(body: FunctionBody, statement: Statement) -> None:
    """Write a statement that has no others within it."""
    match statement:
        case Locate():
            _locate(body, statement)
        case Point():
            _point(body, statement)
        case Let(value):
            write_let(body, value)
        case Store():
            _store(body, statement)
        case Read(value, buffer):
            text = body.elements.waiting(value, buffer)
            # of a scan of halves, it is yet to be rounded
            is_wider = buffer is Buffer.KEPT and value.is_scan
            body.declare(value, rounded(text, value.dtype) if is_wider else text)
        case Write(value, buffer):
            note = comment(value) if buffer is Buffer.BLOCK else ""
            text = body.elements.waiting(value, buffer)
            body.add(f"{text} = {body.names[statement.written]};{note}")
        case Start(value):
            name = body.names[value]
            for type, prefix, nothing in accumulators(value, body.side_by_side):
                into = f"{prefix}_{name}[r]" if body.side_by_side else f"{type} {prefix}_{name}"
                body.add(f"{into} = {nothing};")
        case Accumulate(value, of_block):
            _accumulate(body, value, of_block)
        case AddBlock(value):
            name = body.names[value]
            body.add(f"sum_{name}[r] += block_{name}[r];{comment(value)}")
            body.add(f"block_{name}[r] = 0;")
        case SumBlock(value, buffer):
            text = add_block(value, body.names[value], body.elements.block(value, buffer))
            body.add(f"{text}{comment(value)}")
        case Finish(value):
            text = reduced(value, body.names[value], body.side_by_side)
            body.declare(value, text, comment(value))
        case Scan(value):
            _scan(body, value)


def _locate(body: FunctionBody, located: Locate) -> None:
    """Move on from row to row of a tile, and note where they are."""
    outer = body.layout.outer
    with body.block("for (int r = 0; r < rows; ++r)"):
        for number in located.tensors:
            terms = body.arguments.offset_terms(number, range(outer))
            body.add(f"offset_{body.arguments.tensors[number].name}[r] = {' + '.join(terms)};")
        for dim in located.dims:
            body.add(f"at_{dim}[r] = i{dim};")
        body.next_index(outer)


def _point(body: FunctionBody, point: Point) -> None:
    """Declare pointers to a row, or to where the last one of several inner dimensions begins.

    Behind the latter stands the offset in buffers, `base`.
    """
    if point.dims > body.layout.row_dims:
        _point_inside(body, point)
        return
    for number in point.tensors:
        name, _, type = body.arguments.tensors[number]
        terms = body.arguments.offset_terms(number, range(point.dims))
        if body.in_row and terms:
            terms = [f"offset_{name}[r]"]
        body.add(f"{type} *restrict row_{name} = {' + '.join([name, *terms])};")
    for value in point.kept if body.in_row else ():
        name, type = body.names[value], C_TYPES[value.dtype]
        body.add(f"{type} *restrict kept_{name} = all_{name} + r * count;")


def _point_inside(body: FunctionBody, point: Point) -> None:
    dims, flat = range(body.layout.outer, point.dims), ""
    for number in point.tensors:
        name, _, type = body.arguments.tensors[number]
        terms = [f"row_{name}", *body.arguments.offset_terms(number, dims)]
        body.add(f"{type} *restrict at_{name} = {' + '.join(terms)};")
    for dim in dims:
        flat = f"({flat} + i{dim}) * n{dim + 1}" if flat else f"i{dim} * n{dim + 1}"
    body.add(f"const long long base = {flat};")


def write_let(body: FunctionBody, value: Scalar) -> None:
    """Declare a value, and note whether it was computed of rare operands."""
    if value.op == "checked":
        body.add(f"failed |= !{body.names[value.operands[1]]};{comment(value)}")
    body.declare(value, value_text(body, value), comment(value))
    for line in rare_notes(body, value):
        body.add(line)


def rare_notes(body: FunctionBody, value: Scalar) -> list[str]:
    """Return the statement that notes whether a value is computed of rare operands, if any does."""
    dtype = rare_dtype(value) if body.rare else None
    if dtype is None:
        return []
    return [f"{rare_flag(dtype)} |= {rare_test(value, dtype, body.names)};"]


def _store(body: FunctionBody, store: Store) -> None:
    """Write a value to an output."""
    value = store.value
    text = body.elements.waiting(value, Buffer.ROW) if store.is_waiting else body.names[value]
    body.add(f"{body.elements.output(store.output)} = {stored(value.dtype, text)};")


def _accumulate(body: FunctionBody, value: Scalar, of_block: bool) -> None:
    name, operand, note = body.names[value], body.names[value.operands[0]], comment(value)
    if value.op in COMBINE:
        into = f"{'block' if of_block else 'sum'}_{name}{'[r]' if body.side_by_side else ''}"
        body.add(f"{into} {COMBINE[value.op]}= {operand};{note}")
        return
    accumulate = accumulate_extremes if body.side_by_side else accumulate_extreme
    for line in accumulate(value, body.names, body.elements.index, note):
        body.add(line)


def _scan(body: FunctionBody, value: Scalar) -> None:
    """Scan what was written to the buffers of a value, by one row or by all at once."""
    name, type, step = body.names[value], SHORT_NAMES[value.dtype], int(value.payload)
    if body.side_by_side:
        _scan_neighbours(body, value)
    elif body.in_row:
        body.add(f"mts_{value.op}_{type}(kept_{name}, count, {step});{comment(value)}")
    else:
        call = f"mts_{value.op}_rows_{type}(all_{name}, rows, count, {step});"
        body.add(f"{call}{comment(value)}")


def _scan_neighbours(body: FunctionBody, value: Scalar) -> None:
    """Scan the buffer of a value: of all rows one element, then the next one."""
    name, rows, step = body.names[value], body.schedule.loop.step, int(value.payload)
    first, end = ("0", f"i < n{body.last}") if step > 0 else (f"n{body.last} - 1", "i >= 0")
    with body.rows():
        start = SCAN_STARTS.get(value.op, f"kept_{name}[({first}) * {rows} + r]")
        body.add(f"scan_{name}[r] = {start};")
    with body.block(f"for (long long i = {first}; {end}; i += {step})"), body.rows():
        here = f"kept_{name}[i * {rows} + r]"
        text = SCANNED[value.op].format(f"scan_{name}[r]", here)
        body.add(f"{here} = scan_{name}[r] = {text};{comment(value)}")
