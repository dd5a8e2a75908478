"""Statements of a schedule as CUDA text: what is read, computed, accumulated and written.

    const auto x0 = read_chunk(row_in0 + i1, filled);           ReadChunk
    const float v1 = x0.at[k] * 2.0f;                           Let
    if (k < filled) max2 = Max::of(max2, v1);                   Accumulate
    y0.at[k] = v3;                                              Store
    write_chunk(row_out0 + i1, y0, filled);                     WriteChunk

Loops, and sections of them, are written by `loops`.
"""

from __future__ import annotations

from minits.kernels.cuda.checks import asserted
from minits.kernels.cuda.cuda_printer.expressions import (
    accumulator,
    commented,
    element,
    flat_index,
    loaded,
    looked_up,
    offset,
    position,
    reduced_nothing,
    rounded,
    scanned_as,
    stored,
)
from minits.kernels.cuda.cuda_printer.function_body import FunctionBody
from minits.kernels.ir.kernel import Direction, Scalar
from minits.kernels.ir.layout import Stride
from minits.kernels.ir.printing import STORED
from minits.kernels.scalar_ops.row import C_TYPES, computed_in
from minits.kernels.schedule.loops import (
    Accumulate,
    Buffer,
    Combine,
    Finish,
    Leave,
    Let,
    Point,
    Read,
    ReadChunk,
    Scan,
    Start,
    Statement,
    Store,
    Write,
    WriteChunk,
)


def write_statement(body: FunctionBody, statement: Statement) -> None:
    """Write a statement that has no others within it."""
    match statement:
        case Point():
            _point(body, statement)
        case ReadChunk(index):
            body.add(f"const auto x{index} = {chunk_read(body, statement)};")
        case WriteChunk(index):
            _write_chunk(body, index)
        case Let(value):
            _assert(body, value)
            body.declare(value, _full(body, value) if body.in_chunk else _of_row(body, value))
        case Read(value, Buffer.REGISTERS):
            body.declare(value, f"{body.register(value)}[step][k]")
        case Read(value, Buffer.SHARED):
            body.declare(value, body.shared(value))
        case Read(value):
            text = _in_scan(body, value)
            if not body.form.even:
                text = f"k < filled ? {text} : ({C_TYPES[value.dtype]})0"
            body.declare(value, rounded(text, value.dtype))
        case Write(value, Buffer.REGISTERS):
            body.add(f"{body.register(value)}[step][k] = {body.names[value]};")
        case Write(value, Buffer.SHARED):
            body.add(f"{body.shared(value)} = {body.names[value]};")
        case Write(value):
            body.add(f"{body.if_filled}{_in_scan(body, value)} = {body.names[statement.written]};")
        case Start(value):
            body.add(f"{accumulator(value)} {body.total(value)} = {reduced_nothing(value)};")
        case Accumulate(value):
            _accumulate(body, value)
        case Finish(value):
            result = f"across_row<{value.op.capitalize()}>({body.total(value)})"
            result += ".index" if value.op.startswith("arg") else ""
            body.declare(value, rounded(result, value.dtype))
        case Leave(value):
            name, operation = f"part_{body.total(value)}", value.op.capitalize()
            body.add(f"const auto {name} = across_row<{operation}>({body.total(value)});")
            body.add(f"if (lane == 0) {body.parts(value)}[item] = {name};")
        case Combine(value):
            total, part = body.total(value), f"{body.parts(value)}[row * g.parts + part]"
            body.add(f"{total} = {value.op.capitalize()}::of({total}, {part});")
        case Scan(value):
            types = f"{value.op.capitalize()}, {scanned_as(value)}"
            back = "true" if value.payload is Direction.BACKWARD else "false"
            line = f"scan_row<{types}>({body.scanned(value)}, {body.count}, {back});"
            body.add(commented(line, value))
        case Store(output, value):
            text = stored(body.names[value], value.dtype)
            target = f"y{output}.at[k]" if body.in_chunk else f"if (lane == 0) *row_out{output}"
            body.add(f"{target} = {text};")


def _point(body: FunctionBody, point: Point) -> None:
    """Declare pointers to where the row begins in each tensor, and in the workspace."""
    types = [f"const {STORED[given.dtype]}" for given in body.kernel.inputs]
    types += [STORED[output.value.dtype] for output in body.kernel.outputs]
    for number in point.tensors:
        name, strides = body.tensors[number]
        begin = f"{name}{offset(name, strides, range(point.dims))}"
        body.add(f"{types[number]} *row_{name} = {begin};")
    before = 0
    for value in point.kept:
        kind = C_TYPES[value.dtype]
        start = f"workspace + {before}ULL * rows * {body.count}" if before else "workspace"
        row = f"(unsigned long long)row * {body.count}"
        body.add(f"{kind} *{body.scanned(value)} = ({kind} *)({start}) + {row};")
        before += computed_in(value.dtype).itemsize


def chunk_read(body: FunctionBody, read: ReadChunk) -> str:
    """Return the text that reads a chunk of an input, or the element of one that stands still."""
    address, last = body.address(read.input), body.layout.rank - 1
    match body.layout.inputs[read.input][last]:
        case Stride.ZERO:
            return f"*({address})" if " " in address else f"*{address}"
        case Stride.UNIT:
            return f"read_chunk({address}{body.and_filled})"
    return f"read_strided({address}, g.in{read.input}_{last}{body.and_filled})"


def is_chunk(body: FunctionBody, read: ReadChunk) -> bool:
    """Return whether what is read is a chunk, and not one element that stands still."""
    return body.layout.inputs[read.input][-1] is not Stride.ZERO


def _write_chunk(body: FunctionBody, index: int) -> None:
    address, last = body.address(len(body.kernel.inputs) + index), body.layout.rank - 1
    if body.layout.outputs[index][last] is Stride.ANY:
        body.add(f"write_strided({address}, g.out{index}_{last}, y{index}{body.and_filled});")
    else:
        body.add(f"write_chunk({address}, y{index}{body.and_filled});")


def _assert(body: FunctionBody, value: Scalar) -> None:
    """Write what is asserted where a value is computed; nothing behind the end of a chunk."""
    checked = asserted(value)
    if checked is not None:
        unless = "k >= filled || " if body.in_chunk and not body.form.even else ""
        body.add(f"must({unless}{body.names[checked]});")


def _full(body: FunctionBody, value: Scalar) -> str:
    """Return the text of a value at element `k` of the chunks that have been read."""
    match value.op:
        case "load":
            return loaded(element(body.layout, value.payload), value.dtype)
        case "look_up":
            return loaded(_looked_up(body, value), value.dtype)
        case "position":
            return position(value, body.layout)
        case "index":
            return flat_index(body.layout)
    return body.expression(value)


def _looked_up(body: FunctionBody, value: Scalar) -> str:
    """Return an element of a table; past the end of the chunk, some element."""
    number, last = value.payload, body.layout.rank - 1
    step = {Stride.ZERO: "", Stride.UNIT: " + k", Stride.ANY: f" + k * g.in{number}_{last}"}
    address = f"{body.address(number)}{step[body.layout.inputs[number][last]]}"
    return looked_up(value, address, body.names, "" if body.form.even else "k < filled")


def _of_row(body: FunctionBody, value: Scalar) -> str:
    """Return the text of a value of a row."""
    match value.op:
        case "load":
            return loaded(f"*row_in{value.payload}", value.dtype)
        case "look_up":
            text = looked_up(value, f"row_in{value.payload}", body.names)
            return loaded(text, value.dtype)
        case "position":
            return position(value, body.layout)
    return body.expression(value)


def _in_scan(body: FunctionBody, value: Scalar) -> str:
    """Return element `k` of what is scanned."""
    return f"{body.scanned(value)}[{flat_index(body.layout)}]"


def _accumulate(body: FunctionBody, value: Scalar) -> None:
    operation, total = value.op.capitalize(), body.total(value)
    text = body.names[value.operands[0]]
    if value.op.startswith("arg"):
        text = f"{accumulator(value)}{{{text}, {flat_index(body.layout)}}}"
    line = f"{body.if_filled}{total} = {operation}::of({total}, {text});"
    body.add(commented(line, value))
