"""Kernels as CUDA text: `print_cuda`; how each loop and each statement of a schedule is written.

A kernel that reduces nothing is a loop over chunks; else threads share rows:

    for (Index row = ...; row < rows; row += ...) {
        const float *row_in0 = in0 + i0 * g.in0_0;

        // Sweep 0 over the row.
        float max1 = -INFINITY;
        for (Index chunk = lane; chunk < chunks; chunk += 32) {
            const auto x0 = read_chunk(row_in0 + i1, filled);
            for (int k = 0; k < CHUNK; ++k) {
                const float v0 = x0.at[k];
                if (k < filled) max1 = Max::of(max1, v0);
            }
        }
        const float v1 = across_row<Max>(max1);

What is scanned is written to a workspace in memory, a row behind the other, scanned there at the
end of the sweep over the row by the 32 threads of a warp, and read by later sweeps. What the parts
of a row leave is in a workspace, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from minits.kernels.cuda.arguments import (
    PART_BYTES,
    functions_of,
    geometry_struct,
    signature,
    tensors_of,
)
from minits.kernels.cuda.checks import MUST, asserted
from minits.kernels.cuda.cuda_math import cuda_prelude
from minits.kernels.cuda.cuda_printer.expressions import (
    accumulator,
    commented,
    element,
    expression,
    flat_index,
    literal,
    loaded,
    looked_up,
    offset,
    position,
    reduced_nothing,
    rounded,
    scanned_as,
    stored,
)
from minits.kernels.cuda.device_functions import CHUNKS, conversions, scanning, sharing
from minits.kernels.ir.kernel import Direction, Kernel, Scalar
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.ir.printing import STORED, Lines, Names
from minits.kernels.scalar_ops.row import C_TYPES, computed_in
from minits.kernels.schedule.cuda import Form, schedule_for_cuda
from minits.kernels.schedule.loops import (
    Accumulate,
    Buffer,
    Combine,
    Finish,
    For,
    Leave,
    Let,
    Over,
    Point,
    Read,
    ReadChunk,
    Scan,
    Schedule,
    Section,
    Start,
    Statement,
    Store,
    Write,
    WriteChunk,
    statements_of,
)

_FUNCTION = re.compile(r"\bmts_\w+")


def print_cuda(kernel: Kernel, layout: Layout, name: str, form: Form | None = None) -> str:
    """Return the text of one `__global__` function; it includes nothing.

    Its arguments are the inputs' and outputs' addresses (those of the views' first elements), a
    struct of sizes and strides (`geometry_fields`, `table_fields`) by value, and the parameters, as
    double or long long. Any number of blocks of `form.block` threads computes the whole domain.

    Where `form.splits`, there is a second function `name_combined` that is to run after the first.
    Both take the address of a workspace (rows * parts * `PART_BYTES` for each reduction) before the
    struct, and the struct has one more field, the number of `parts` of a row. Kernels with scans
    take one, too (`workspace_bytes` for each index).
    """
    form = form or Form()
    printer = LoopPrinter(schedule_for_cuda(kernel, layout, form), form)
    for function, loop in zip(functions_of(name, form), printer.schedule.loops, strict=True):
        with printer.block(signature(kernel, layout, form, function)):
            printer.function(loop)
    body = str(printer)
    reductions = [value.op for value in kernel.values if value.is_reduction]
    called = sorted(set(_FUNCTION.findall(body)))
    parts = [
        geometry_struct(kernel, layout, form),
        *conversions([value.dtype for value in kernel.values]),
        *([cuda_prelude(called)] if called else []),
        *([MUST] if any(map(asserted, kernel.values)) else []),
        CHUNKS,
        *sharing(reductions, form.threads),
        *scanning(value.op for value in kernel.scans),
        body,
    ]
    return "\n".join([part for part in parts if part])


class LoopPrinter(Lines):
    """Writes the bodies of functions. `in_chunk` tells whether an element `k` is at hand."""

    def __init__(self, schedule: Schedule, form: Form) -> None:
        super().__init__()
        self.schedule = schedule
        self.kernel = schedule.kernel
        self.layout = schedule.layout
        self.form = form
        self.names = Names(self.kernel.values, literal)
        self.tensors = tensors_of(self.layout)
        self.in_chunk = False
        self.count = f"g.size{self.layout.rank - 1}"

    def function(self, loop: For) -> None:
        """Write one of the schedule's loops, and what is the same for all of its iterations."""
        if loop.over is not Over.CHUNKS:
            self._over_rows(loop)
            return
        last = self.layout.rank - 1
        self._declare_once()
        self.add(f"const Index chunks = (g.size{last} + CHUNK - 1) / CHUNK;")
        others = "".join([f"g.size{dim} * " for dim in range(last)])
        self.add(f"const Index work = {others}chunks;")
        self.add("const Index step = (Index)gridDim.x * blockDim.x;")
        start = "(Index)blockIdx.x * blockDim.x + threadIdx.x"
        with self.block(f"for (Index i = {start}; i < work; i += step)"):
            self._declare_indices("i", range(self.layout.rank), "chunks")
            self._chunk(loop)

    def _declare_once(self) -> None:
        for value in self.schedule.once:
            self._declare(value, expression(value, self.names))

    @contextmanager
    def unrolled(self, head: str) -> Iterator[None]:
        """Open a loop that the compiler is to unroll."""
        self.lines.append("#pragma unroll")
        with self.block(head):
            yield

    # ---- Rows ----------------------------------------------------------------------------------

    def _over_rows(self, loop: For) -> None:
        """Write the loop over rows, or over parts of rows, that blocks share."""
        form, has_parts = self.form, loop.over is Over.PARTS
        self._declare_counts()
        index, first, end, step = "row", "blockIdx.x", "rows", "gridDim.x"
        if has_parts:
            index, end = "item", "rows * g.parts"
        elif loop is not self.schedule.combination:
            first = f"(Index)blockIdx.x * {form.rows} + threadIdx.x / {form.threads}"
            step = f"(Index)gridDim.x * {form.rows}"
        with self.block(f"for (Index {index} = {first}; {index} < {end}; {index} += {step})"):
            if has_parts:
                self.add("const Index row = item / g.parts;")
                self.add("const Index part = item % g.parts;")
            self._declare_indices("row", range(self.layout.outer))
            self.statements(loop.body)

    def _declare_counts(self) -> None:
        """Write what is the same for all rows."""
        layout = self.layout
        self.add(
            f"const unsigned lane = threadIdx.x % {self.form.threads};  // among those of a row"
        )
        sizes = [f"g.size{dim}" for dim in range(layout.outer)]
        self.add(f"const Index rows = {' * '.join(sizes) or '1'};")
        inner = [f"g.size{dim}" for dim in range(layout.outer, layout.rank)]
        if any(value.op == "count" for value in self.kernel.values):
            self.add(f"const long long count = {' * '.join(['1LL', *inner])};")
        self.add(f"const Index row_chunks = ({inner[-1]} + CHUNK - 1) / CHUNK;")
        self.add(f"const Index chunks = {' * '.join([*inner[:-1], 'row_chunks'])};")
        self._declare_once()
        left = [each.value for each in self.schedule.statements() if isinstance(each, Leave)]
        for number, value in enumerate(left):
            kind = accumulator(value)
            skipped = f" + {PART_BYTES * number}ULL * rows * g.parts" if number else ""
            self.add(f"{kind} *{self._parts(value)} = ({kind} *)(workspace{skipped});")

    def _point(self, point: Point) -> None:
        """Declare pointers to where the row begins in each tensor, and in the workspace."""
        types = [f"const {STORED[given.dtype]}" for given in self.kernel.inputs]
        types += [STORED[output.value.dtype] for output in self.kernel.outputs]
        for number in point.tensors:
            name, strides = self.tensors[number]
            begin = f"{name}{offset(name, strides, range(point.dims))}"
            self.add(f"{types[number]} *row_{name} = {begin};")
        before = 0
        for value in point.kept:
            kind = C_TYPES[value.dtype]
            start = f"workspace + {before}ULL * rows * {self.count}" if before else "workspace"
            row = f"(unsigned long long)row * {self.count}"
            self.add(f"{kind} *{self._scanned(value)} = ({kind} *)({start}) + {row};")
            before += computed_in(value.dtype).itemsize

    # ---- Chunks --------------------------------------------------------------------------------

    def loop(self, loop: For) -> None:
        """Write a loop over what a row has, or over the columns of a chunk."""
        threads, steps = self.form.threads, self.form.steps
        if loop.over is Over.COLUMNS:
            self._columns(loop)
        elif loop.over is Over.FOUND:
            with self.block(f"for (Index part = lane; part < g.parts; part += {threads})"):
                self.statements(loop.body)
        elif steps:
            with self.unrolled(f"for (int step = 0; step < {steps}; ++step)"):
                self.add(f"const Index chunk = step * {threads} + lane;")
                with self.block("if (chunk < chunks)"):
                    self._chunk_of_row(loop)
        else:
            first, step = "lane", f"{threads}"
            if self.schedule.loop.over is Over.PARTS:
                first, step = f"part * {threads} + lane", f"g.parts * {threads}"
            with self.block(f"for (Index chunk = {first}; chunk < chunks; chunk += {step})"):
                self._chunk_of_row(loop)

    def _chunk_of_row(self, loop: For) -> None:
        inner = range(self.layout.outer, self.layout.rank)
        self._declare_indices("chunk", inner, "row_chunks")
        self._chunk(loop)

    def _declare_indices(self, index: str, dims: range, fastest: str | None = None) -> None:
        """Take an index apart into `i0`, `i1`, ..., the last dimension fastest.

        `fastest` is the name of the number of chunks of the last dimension: its index is that of
        the chunk's first element.
        """
        chunk = " * CHUNK" if fastest else ""
        if len(dims) > 1:
            self.add(f"Index rest = {index};")
            index = "rest"
        for dim in reversed(dims[1:]):
            is_last = fastest is not None and dim == dims[-1]
            size = fastest if is_last else f"g.size{dim}"
            self.add(f"const Index i{dim} = rest % {size}{chunk if is_last else ''};")
            self.add(f"rest /= {size};")
        if dims:
            self.add(f"const Index i{dims[0]} = {index}{chunk if len(dims) == 1 else ''};")

    def _chunk(self, loop: For) -> None:
        last = self.layout.rank - 1
        self.add(f"const Index left = g.size{last} - i{last};")
        self.add("const int filled = left < CHUNK ? (int)left : CHUNK;")
        self.statements(loop.body)

    def _columns(self, loop: For) -> None:
        for each in loop.body:
            if isinstance(each, Store):
                self.add(f"Chunk<{STORED[each.value.dtype]}> y{each.output};")
        with self.unrolled("for (int k = 0; k < CHUNK; ++k)"):
            self.in_chunk = True
            self.statements(loop.body)
            self.in_chunk = False

    def _address(self, number: int) -> str:
        """Return where a chunk begins in a tensor, by the pointer to the row if there is one."""
        name, strides = self.tensors[number]
        row, first = ("row_", self.layout.outer) if self.layout.inner else ("", 0)
        return f"{row}{name}{offset(name, strides, range(first, self.layout.rank))}"

    def _read_chunk(self, index: int) -> None:
        """Read a chunk of an input, or the one element of one that stands still."""
        address, last = self._address(index), self.layout.rank - 1
        match self.layout.inputs[index][last]:
            case Stride.ZERO:
                text = f"*({address})" if " " in address else f"*{address}"
            case Stride.UNIT:
                text = f"read_chunk({address}, filled)"
            case Stride.ANY:
                text = f"read_strided({address}, g.in{index}_{last}, filled)"
        self.add(f"const auto x{index} = {text};")

    def _write_chunk(self, index: int) -> None:
        address, last = self._address(len(self.kernel.inputs) + index), self.layout.rank - 1
        if self.layout.outputs[index][last] is Stride.ANY:
            self.add(f"write_strided({address}, g.out{index}_{last}, y{index}, filled);")
        else:
            self.add(f"write_chunk({address}, y{index}, filled);")

    # ---- Statements ----------------------------------------------------------------------------

    def statements(self, body: Iterable[Statement]) -> None:
        for statement in body:
            match statement:
                case For():
                    self.loop(statement)
                case Section():
                    self._section(statement)
                case _:
                    self.statement(statement)

    def _section(self, section: Section) -> None:
        self.add("")
        self.add(f"// Sweep {section.sweep} over the row.")
        for each in statements_of(section.body):
            if isinstance(each, Write) and each.buffer is Buffer.REGISTERS:
                registers = f"{self._register(each.value)}[{self.form.steps}][CHUNK]"
                self.add(f"{C_TYPES[each.value.dtype]} {registers};")
        self.statements(section.body)

    def statement(self, statement: Statement) -> None:
        match statement:
            case Point():
                self._point(statement)
            case ReadChunk(index):
                self._read_chunk(index)
            case WriteChunk(index):
                self._write_chunk(index)
            case Let(value):
                self._assert(value)
                self._declare(value, self._full(value) if self.in_chunk else self._of_row(value))
            case Read(value, Buffer.REGISTERS):
                self._declare(value, f"{self._register(value)}[step][k]")
            case Read(value):
                text = f"k < filled ? {self._in_scan(value)} : ({C_TYPES[value.dtype]})0"
                self._declare(value, rounded(text, value.dtype))
            case Write(value, Buffer.REGISTERS):
                self.add(f"{self._register(value)}[step][k] = {self.names[value]};")
            case Write(value):
                self.add(
                    f"if (k < filled) {self._in_scan(value)} = {self.names[statement.written]};"
                )
            case Start(value):
                self.add(f"{accumulator(value)} {self._total(value)} = {reduced_nothing(value)};")
            case Accumulate(value):
                self._accumulate(value)
            case Finish(value):
                result = f"across_row<{value.op.capitalize()}>({self._total(value)})"
                result += ".index" if value.op.startswith("arg") else ""
                self._declare(value, rounded(result, value.dtype))
            case Leave(value):
                name, operation = f"part_{self._total(value)}", value.op.capitalize()
                self.add(f"const auto {name} = across_row<{operation}>({self._total(value)});")
                self.add(f"if (lane == 0) {self._parts(value)}[item] = {name};")
            case Combine(value):
                total, part = self._total(value), f"{self._parts(value)}[row * g.parts + part]"
                self.add(f"{total} = {value.op.capitalize()}::of({total}, {part});")
            case Scan(value):
                types = f"{value.op.capitalize()}, {scanned_as(value)}"
                back = "true" if value.payload is Direction.BACKWARD else "false"
                line = f"scan_row<{types}>({self._scanned(value)}, {self.count}, {back});"
                self.add(commented(line, value))
            case Store(output, value):
                text = stored(self.names[value], value.dtype)
                target = f"y{output}.at[k]" if self.in_chunk else f"if (lane == 0) *row_out{output}"
                self.add(f"{target} = {text};")

    def _assert(self, value: Scalar) -> None:
        """Write what is asserted where a value is computed; nothing behind the end of a chunk."""
        checked = asserted(value)
        if checked is not None:
            unless = "k >= filled || " if self.in_chunk else ""
            self.add(f"must({unless}{self.names[checked]});")

    def _declare(self, value: Scalar, text: str) -> None:
        """Write `const float v3 = ...;` with its source line."""
        line = f"const {C_TYPES[value.dtype]} {self.names[value]} = {text};"
        self.add(commented(line, value))

    def _full(self, value: Scalar) -> str:
        """Return the text of a value at element `k` of the chunks that have been read."""
        match value.op:
            case "load":
                return loaded(element(self.layout, value.payload), value.dtype)
            case "look_up":
                return loaded(self._looked_up(value), value.dtype)
            case "position":
                return position(value, self.layout)
            case "index":
                return flat_index(self.layout)
        return expression(value, self.names)

    def _looked_up(self, value: Scalar) -> str:
        """Return an element of a table; past the end of the chunk, some element."""
        number, last = value.payload, self.layout.rank - 1
        step = {Stride.ZERO: "", Stride.UNIT: " + k", Stride.ANY: f" + k * g.in{number}_{last}"}
        address = f"{self._address(number)}{step[self.layout.inputs[number][last]]}"
        return looked_up(value, address, self.names, "k < filled")

    def _of_row(self, value: Scalar) -> str:
        """Return the text of a value of a row."""
        match value.op:
            case "load":
                return loaded(f"*row_in{value.payload}", value.dtype)
            case "look_up":
                text = looked_up(value, f"row_in{value.payload}", self.names)
                return loaded(text, value.dtype)
            case "position":
                return position(value, self.layout)
        return expression(value, self.names)

    def _in_scan(self, value: Scalar) -> str:
        """Return element `k` of what is scanned."""
        return f"{self._scanned(value)}[{flat_index(self.layout)}]"

    def _accumulate(self, value: Scalar) -> None:
        operation, total = value.op.capitalize(), self._total(value)
        text = self.names[value.operands[0]]
        if value.op.startswith("arg"):
            text = f"{accumulator(value)}{{{text}, {flat_index(self.layout)}}}"
        line = f"if (k < filled) {total} = {operation}::of({total}, {text});"
        self.add(commented(line, value))

    # ---- Names ---------------------------------------------------------------------------------

    def _register(self, value: Scalar) -> str:
        return f"kept{self.names.number(value)}"

    def _scanned(self, value: Scalar) -> str:
        return f"scan{self.names.number(value)}"

    def _total(self, value: Scalar) -> str:
        return f"{value.op}{self.names.number(value)}"

    def _parts(self, value: Scalar) -> str:
        return f"parts{self.names.number(value)}"
