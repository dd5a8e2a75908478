"""The CUDA text of the statements of a schedule.

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

from collections.abc import Iterable

from minits.kernels.cuda.checks import asserted
from minits.kernels.cuda.cuda_printer.addressing import (
    Lines,
    declare_indices,
    element,
    flat_index,
    looked_up,
    offset,
    position,
    read,
    tensors_of,
    write,
)
from minits.kernels.cuda.cuda_printer.expressions import (
    accumulator,
    commented,
    expression,
    loaded,
    reduced_nothing,
    rounded,
    scanned_as,
    stored,
)
from minits.kernels.ir.kernel import Direction, Kernel, Scalar
from minits.kernels.ir.layout import Stride
from minits.kernels.ir.printing import STORED, Names
from minits.kernels.scalar_ops.row import C_TYPES, computed_in
from minits.kernels.schedule.cuda import Form
from minits.kernels.schedule.loops import (
    Accumulate,
    Buffer,
    Combine,
    Finish,
    For,
    Leave,
    Let,
    Over,
    Read,
    Scan,
    Schedule,
    Section,
    Start,
    Statement,
    Store,
    Write,
    statements_of,
)

PART_BYTES = 16
"""Of the workspace, for each reduction and part: no accumulator is larger."""


class LoopPrinter:
    """Writes the body of a function. `in_chunk` tells whether an element `k` is at hand."""

    def __init__(self, lines: Lines, schedule: Schedule, form: Form, names: Names) -> None:
        self.lines = lines
        self.schedule = schedule
        self.kernel = schedule.kernel
        self.layout = schedule.layout
        self.form = form
        self.names = names
        self.in_chunk = False
        self.scans = sorted(self.kernel.scans, key=_bytes, reverse=True)
        self.count = f"g.size{self.layout.rank - 1}"

    def print(self, loop: For) -> None:
        """Write one of the schedule's loops, and what is the same for all of its iterations."""
        if loop.over is Over.CHUNKS:
            self._over_all_chunks(loop)
            return
        self._begin()
        with self.lines.block(self._rows(loop)):
            if loop.over is Over.PARTS:
                self.lines("const Index row = item / g.parts;")
                self.lines("const Index part = item % g.parts;")
            self._begin_row()
            self.statements(loop.body)

    # ---- Loops ---------------------------------------------------------------------------------

    def _rows(self, loop: For) -> str:
        """Return the head of the outermost loop: over rows, or over parts of rows."""
        if loop.over is Over.PARTS:
            return "for (Index item = blockIdx.x; item < rows * g.parts; item += gridDim.x)"
        if loop is self.schedule.combination:
            return "for (Index row = blockIdx.x; row < rows; row += gridDim.x)"
        form = self.form
        first = f"(Index)blockIdx.x * {form.rows} + threadIdx.x / {form.threads}"
        step = f"(Index)gridDim.x * {form.rows}"
        return f"for (Index row = {first}; row < rows; row += {step})"

    def loop(self, loop: For) -> None:
        """Write a loop over what a row has."""
        threads, steps = self.form.threads, self.form.steps
        if loop.over is Over.FOUND:
            head = f"for (Index part = lane; part < g.parts; part += {threads})"
            with self.lines.block(head):
                self.statements(loop.body)
        elif steps:
            with self.lines.unrolled(f"for (int step = 0; step < {steps}; ++step)"):
                self.lines(f"const Index chunk = step * {threads} + lane;")
                with self.lines.block("if (chunk < chunks)"):
                    self._chunk_of_row(loop)
        else:
            first, step = "lane", f"{threads}"
            if self.schedule.loop.over is Over.PARTS:
                first, step = f"part * {threads} + lane", f"g.parts * {threads}"
            head = f"for (Index chunk = {first}; chunk < chunks; chunk += {step})"
            with self.lines.block(head):
                self._chunk_of_row(loop)

    def _over_all_chunks(self, loop: For) -> None:
        """Write a grid-stride loop over the chunks of all rows."""
        last, lines = self.layout.rank - 1, self.lines
        self._declare_once()
        lines(f"const Index chunks = (g.size{last} + CHUNK - 1) / CHUNK;")
        others = "".join([f"g.size{dim} * " for dim in range(last)])
        lines(f"const Index work = {others}chunks;")
        lines("const Index step = (Index)gridDim.x * blockDim.x;")
        start = "(Index)blockIdx.x * blockDim.x + threadIdx.x"
        with lines.block(f"for (Index i = {start}; i < work; i += step)"):
            declare_indices(lines, "i", range(self.layout.rank), "chunks")
            self._chunk(loop, "")

    def _chunk_of_row(self, loop: For) -> None:
        inner = range(self.layout.outer, self.layout.rank)
        declare_indices(self.lines, "chunk", inner, "row_chunks")
        self._chunk(loop, "row_")

    def _chunk(self, loop: For, row: str) -> None:
        """Read a chunk of each input, compute its elements, and write a chunk of each output.

        Pointers to what is moved away from have names that begin with `row`.
        """
        lines, last = self.lines, self.layout.rank - 1
        lines(f"const Index left = g.size{last} - i{last};")
        lines("const int filled = left < CHUNK ? (int)left : CHUNK;")
        inside = list(statements_of(loop.body))
        values = [each.value for each in inside if isinstance(each, Let)]
        loads = [value.payload for value in values if value.op == "load"]
        stores = [each for each in inside if isinstance(each, Store)]
        read(lines, self.kernel, self.layout, loads, f"{row}in")
        for store in stores:
            lines(f"Chunk<{STORED[store.value.dtype]}> y{store.output};")
        with lines.unrolled("for (int k = 0; k < CHUNK; ++k)"):
            self.in_chunk = True
            for columns in loop.body:
                assert isinstance(columns, For)
                self.statements(columns.body)
            self.in_chunk = False
        write(lines, self.layout, [store.output for store in stores], f"{row}out")

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
        self.lines("")
        self.lines(f"// Sweep {section.sweep} over the row.")
        for each in statements_of(section.body):
            if isinstance(each, Write) and not each.value.is_scan:
                registers = f"{self._register(each.value)}[{self.form.steps}][CHUNK]"
                self.lines(f"{C_TYPES[each.value.dtype]} {registers};")
        self.statements(section.body)

    def statement(self, statement: Statement) -> None:
        match statement:
            case Let(value):
                self._assert(value)
                self._declare(value, self._full(value) if self.in_chunk else self._of_row(value))
            case Read(value, Buffer.KEPT):
                self._declare(value, self._kept(value))
            case Write(_, Buffer.KEPT):
                self._write(statement)
            case Start(value):
                self.lines(f"{accumulator(value)} {self._total(value)} = {reduced_nothing(value)};")
            case Accumulate(value):
                self._accumulate(value)
            case Finish(value):
                result = f"across_row<{value.op.capitalize()}>({self._total(value)})"
                result += ".index" if value.op.startswith("arg") else ""
                self._declare(value, rounded(result, value.dtype))
            case Leave(value):
                name, operation = f"part_{self._total(value)}", value.op.capitalize()
                self.lines(f"const auto {name} = across_row<{operation}>({self._total(value)});")
                self.lines(f"if (lane == 0) {self._parts(value)}[item] = {name};")
            case Combine(value):
                total, part = self._total(value), f"{self._parts(value)}[row * g.parts + part]"
                self.lines(f"{total} = {value.op.capitalize()}::of({total}, {part});")
            case Scan(value):
                types = f"{value.op.capitalize()}, {scanned_as(value)}"
                back = "true" if value.payload is Direction.BACKWARD else "false"
                line = f"scan_row<{types}>({self._scanned(value)}, {self.count}, {back});"
                self.lines(commented(line, value))
            case Store(output, value):
                text = stored(self.names[value], value.dtype)
                target = f"y{output}.at[k]" if self.in_chunk else f"if (lane == 0) *row_out{output}"
                self.lines(f"{target} = {text};")

    def _assert(self, value: Scalar) -> None:
        """Write what is asserted where a value is computed; nothing behind the end of a chunk."""
        checked = asserted(value)
        if checked is not None:
            unless = "k >= filled || " if self.in_chunk else ""
            self.lines(f"must({unless}{self.names[checked]});")

    def _declare(self, value: Scalar, text: str) -> None:
        """Write `const float v3 = ...;` with its source line."""
        line = f"const {C_TYPES[value.dtype]} {self.names[value]} = {text};"
        self.lines(commented(line, value))

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
        layout, number = self.layout, value.payload
        begin = "row_in" if layout.inner else "in"
        dims = range(layout.outer if layout.inner else 0, layout.rank)
        strides = layout.inputs[number]
        moved = offset(f"in{number}", strides, dims)
        if strides[-1] is Stride.UNIT:
            moved += " + k"
        if strides[-1] is Stride.ANY:
            moved += f" + k * g.in{number}_{layout.rank - 1}"
        return looked_up(value, begin, moved, self.names, "k < filled")

    def _of_row(self, value: Scalar) -> str:
        """Return the text of a value of a row."""
        match value.op:
            case "load":
                return loaded(f"*row_in{value.payload}", value.dtype)
            case "look_up":
                return loaded(looked_up(value, "row_in", "", self.names), value.dtype)
            case "position":
                return position(value, self.layout)
        return expression(value, self.names)

    def _kept(self, value: Scalar) -> str:
        """Return element `k` of what an earlier sweep has kept."""
        if not value.is_scan:
            return f"{self._register(value)}[step][k]"
        element = f"{self._scanned(value)}[{flat_index(self.layout)}]"
        return rounded(f"k < filled ? {element} : ({C_TYPES[value.dtype]})0", value.dtype)

    def _write(self, write: Write) -> None:
        """Write element `k` of what is kept in registers, or of what is scanned."""
        value, written = write.value, self.names[write.written]
        if value.is_scan:
            element = f"{self._scanned(value)}[{flat_index(self.layout)}]"
            self.lines(f"if (k < filled) {element} = {written};")
        else:
            self.lines(f"{self._register(value)}[step][k] = {written};")

    def _accumulate(self, value: Scalar) -> None:
        operation, total = value.op.capitalize(), self._total(value)
        text = self.names[value.operands[0]]
        if value.op.startswith("arg"):
            text = f"{accumulator(value)}{{{text}, {flat_index(self.layout)}}}"
        line = f"if (k < filled) {total} = {operation}::of({total}, {text});"
        self.lines(commented(line, value))

    # ---- What stands before loops --------------------------------------------------------------

    def _begin(self) -> None:
        """Write what is the same for all rows."""
        layout, lines = self.layout, self.lines
        lines(f"const unsigned lane = threadIdx.x % {self.form.threads};  // among those of a row")
        sizes = [f"g.size{dim}" for dim in range(layout.outer)]
        lines(f"const Index rows = {' * '.join(sizes) or '1'};")
        inner = [f"g.size{dim}" for dim in range(layout.outer, layout.rank)]
        if any(value.op == "count" for value in self.kernel.values):
            lines(f"const long long count = {' * '.join(['1LL', *inner])};")
        lines(f"const Index row_chunks = ({inner[-1]} + CHUNK - 1) / CHUNK;")
        lines(f"const Index chunks = {' * '.join([*inner[:-1], 'row_chunks'])};")
        self._declare_once()
        left = [each.value for each in self.schedule.statements() if isinstance(each, Leave)]
        for number, value in enumerate(left):
            kind = accumulator(value)
            skipped = f" + {PART_BYTES * number}ULL * rows * g.parts" if number else ""
            lines(f"{kind} *{self._parts(value)} = ({kind} *)(workspace{skipped});")

    def _declare_once(self) -> None:
        for value in self.schedule.once:
            self._declare(value, expression(value, self.names))

    def _begin_row(self) -> None:
        """Declare pointers to where the row begins in each tensor."""
        outer = range(self.layout.outer)
        if outer:
            declare_indices(self.lines, "row", outer)
        dtypes = [given.dtype for given in self.kernel.inputs]
        dtypes += [output.value.dtype for output in self.kernel.outputs]
        read_here = {value.payload for value in self.kernel.values if value.is_read}
        for (name, strides), dtype in zip(tensors_of(self.layout), dtypes, strict=True):
            if name.startswith("out") or int(name[2:]) in read_here:
                constant = "const " if name.startswith("in") else ""
                begin = f"{name}{offset(name, strides, outer)}"
                self.lines(f"{constant}{STORED[dtype]} *row_{name} = {begin};")
        self._begin_scans()

    def _begin_scans(self) -> None:
        """Declare pointers to where the row begins in the workspace, larger elements first."""
        before = 0
        for value in self.scans:
            kind = C_TYPES[value.dtype]
            start = f"workspace + {before}ULL * rows * {self.count}" if before else "workspace"
            row = f"(unsigned long long)row * {self.count}"
            self.lines(f"{kind} *{self._scanned(value)} = ({kind} *)({start}) + {row};")
            before += _bytes(value)

    # ---- Names ---------------------------------------------------------------------------------

    def _register(self, value: Scalar) -> str:
        return f"kept{self.names.number(value)}"

    def _scanned(self, value: Scalar) -> str:
        return f"scan{self.names.number(value)}"

    def _total(self, value: Scalar) -> str:
        return f"{value.op}{self.names.number(value)}"

    def _parts(self, value: Scalar) -> str:
        return f"parts{self.names.number(value)}"


def workspace_bytes(kernel: Kernel) -> int:
    """Return the bytes of workspace that the scans need for each index of the domain."""
    return sum(_bytes(value) for value in kernel.scans)


def _bytes(value: Scalar) -> int:
    size: int = computed_in(value.dtype).itemsize
    return size
