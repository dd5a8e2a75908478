"""Loops of a schedule as CUDA text: the bodies of functions.

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

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from minits.kernels.cuda.arguments import PART_BYTES
from minits.kernels.cuda.cuda_printer.expressions import accumulator
from minits.kernels.cuda.cuda_printer.function_body import FunctionBody
from minits.kernels.cuda.cuda_printer.statements import chunk_read, is_chunk, write_statement
from minits.kernels.ir.printing import STORED
from minits.kernels.scalar_ops.row import C_TYPES
from minits.kernels.schedule.cuda import MOST_KEPT, chunk_of
from minits.kernels.schedule.loops import (
    Buffer,
    For,
    Leave,
    Over,
    ReadChunk,
    Section,
    Statement,
    Store,
    Write,
    statements_of,
)
from minits.kernels.schedule.waiting import places
from minits.records import replace

SHARED_MEMORY = "alignas(8) extern __shared__ unsigned char shared[];"


class LoopPrinter(FunctionBody):
    """Writes the bodies of functions."""

    def function(self, loop: For) -> None:
        """Write one of the schedule's loops, and what is the same for all of its iterations."""
        if loop.over is not Over.CHUNKS:
            self._over_rows(loop)
            return
        last = self.layout.rank - 1
        self.declare_once()
        self.add(f"const Index chunks = (g.size{last} + CHUNK - 1) / CHUNK;")
        others = "".join([f"g.size{dim} * " for dim in range(last)])
        self.add(f"const Index work = {others}chunks;")
        self.add("const Index step = (Index)gridDim.x * blockDim.x;")
        start = "(Index)blockIdx.x * blockDim.x + threadIdx.x"
        with self.block(f"for (Index i = {start}; i < work; i += step)"):
            self.declare_indices("i", range(self.layout.rank), "chunks")
            self._chunk(loop)

    # ---- Rows ----------------------------------------------------------------------------------

    def _over_rows(self, loop: For) -> None:
        """Write the loop over rows, or over parts of rows, that blocks share."""
        threads, rows = self.form.threads, self.form.rows
        self._declare_counts()
        index, first, end, step = "row", "(Index)blockIdx.x", "rows", "(Index)gridDim.x"
        shares_warps = threads < 32
        if loop.over is Over.PARTS:
            index, end = "item", "rows * g.parts"
        elif rows > 1:
            first, step = f"{first} * {rows}", f"{step} * {rows}"
            if shares_warps:
                index = "first"
            else:
                first += f" + threadIdx.x / {threads}"
        with self.block(f"for (Index {index} = {first}; {index} < {end}; {index} += {step})"):
            if loop.over is Over.PARTS:
                self.add("const Index row = item / g.parts;")
                self.add("const Index part = item % g.parts;")
            elif shares_warps:
                # No thread leaves its warp, which shares results: some make the last row again.
                self.add(f"const Index row = min(first + threadIdx.x / {threads}, rows - 1);")
            self.declare_indices("row", range(self.layout.outer))
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
        self.declare_once()
        self._declare_shared()
        left = [each.value for each in self.schedule.statements() if isinstance(each, Leave)]
        for number, value in enumerate(left):
            kind = accumulator(value)
            skipped = f" + {PART_BYTES * number}ULL * rows * g.parts" if number else ""
            self.add(f"{kind} *{self.parts(value)} = ({kind} *)(workspace{skipped});")

    def _declare_shared(self) -> None:
        """Write where values wait in memory that the block shares."""
        waiting = self.schedule.written(Buffer.SHARED)
        if not waiting:
            return
        self.add(SHARED_MEMORY)
        elements = f"{self.form.shared * self.form.threads} * CHUNK"
        place = places(self.kernel)
        for value in waiting:
            kind, number = C_TYPES[value.dtype], self.names.number(value)
            skipped = f" + {4 * place[value]} * {elements}" if place[value] else ""
            self.add(f"{kind} *shared{number} = ({kind} *)(shared{skipped});")

    # ---- Chunks --------------------------------------------------------------------------------

    def loop(self, loop: For) -> None:
        """Write a loop over what a row has, or over the columns of a chunk."""
        threads, steps = self.form.threads, self.form.steps
        if loop.over is Over.COLUMNS:
            self._columns(loop)
        elif loop.over is Over.FOUND:
            with self.block(f"for (Index part = lane; part < g.parts; part += {threads})"):
                self.statements(loop.body)
        elif loop.over is Over.OTHER_CHUNKS and self.form.shared:
            self._in_turns(loop, steps, self.form.shared, self.form.full)
        elif loop.over is Over.OTHER_CHUNKS:
            first = f"{threads * steps} + lane"
            self.lines.append("#pragma unroll 4")
            with self.block(f"for (Index chunk = {first}; chunk < chunks; chunk += {threads})"):
                self._chunk_of_row(loop)
        elif steps:
            self._in_turns(loop, 0, steps, self.form.full or loop.over is Over.FIRST_CHUNKS)
        else:
            first, step = "lane", f"{threads}"
            if self.schedule.loop.over is Over.PARTS:
                first, step = f"part * {threads} + lane", f"g.parts * {threads}"
            with self.block(f"for (Index chunk = {first}; chunk < chunks; chunk += {step})"):
                self._chunk_of_row(loop)

    def _in_turns(self, loop: For, skipped: int, count: int, are_there: bool) -> None:
        """Write the loop over the chunks that each thread has, behind so many that are skipped.

        Some are read at once, before anything is computed of them: a compiler does not move what is
        read before a branch, such as that of a division. `are_there`: no row ends among them.
        """
        reads = [each for each in loop.body if isinstance(each, ReadChunk) and is_chunk(self, each)]
        turns = self._turns(reads, count, skipped > 0)
        rest = replace(loop, body=tuple([each for each in loop.body if each not in reads]))
        if turns == 1:
            reads, rest = [], loop
        self.lines.append("#pragma unroll" if not skipped else "#pragma unroll 1")
        with self.block(f"for (int first = 0; first < {count}; first += {turns})"):
            for each in reads:
                kind = STORED[self.kernel.inputs[each.input].dtype]
                self.add(f"Chunk<{kind}> read{each.input}[{turns}];")
            if reads:
                with self._turn(turns, skipped, are_there):
                    self._bounds()
                    for each in reads:
                        self.add(f"read{each.input}[turn] = {chunk_read(self, each)};")
            with self._turn(turns, skipped, are_there):
                self._bounds()
                for each in reads:
                    self.add(f"const auto x{each.input} = read{each.input}[turn];")
                self.statements(rest.body)

    def _turns(self, reads: Sequence[ReadChunk], count: int, is_later: bool) -> int:
        """Return how many chunks of a thread are read at once: as many as registers can hold.

        Where others came before, these have left values in most registers.
        """
        chunk = chunk_of(self.kernel, self.layout)
        words = sum(self.kernel.inputs[each.input].dtype.itemsize for each in reads) * chunk // 4
        if words:
            most = max(1, (MOST_KEPT // 4 if is_later else MOST_KEPT) // words)
        else:
            most = 2 if is_later else count
        return max(turns for turns in range(1, count + 1) if count % turns == 0 and turns <= most)

    @contextmanager
    def _turn(self, turns: int, skipped: int, are_there: bool) -> Iterator[None]:
        """Open a loop over some chunks of a thread, where they are in the row."""
        with self.unrolled(f"for (int turn = 0; turn < {turns}; ++turn)"):
            self.add("const int step = first + turn;")
            behind = f"(step + {skipped})" if skipped else "step"
            self.add(f"const Index chunk = {behind} * {self.form.threads} + lane;")
            if are_there:
                yield
            else:
                with self.block("if (chunk < chunks)"):
                    yield

    def _chunk_of_row(self, loop: For) -> None:
        self._bounds()
        self.statements(loop.body)

    def _bounds(self) -> None:
        """Write where a chunk of a row begins, and how many of its elements there are."""
        self.declare_indices("chunk", range(self.layout.outer, self.layout.rank), "row_chunks")
        self._filled()

    def _chunk(self, loop: For) -> None:
        self._filled()
        self.statements(loop.body)

    def _filled(self) -> None:
        last = self.layout.rank - 1
        if not self.form.even:
            self.add(f"const Index left = g.size{last} - i{last};")
            self.add("const int filled = left < CHUNK ? (int)left : CHUNK;")

    def _columns(self, loop: For) -> None:
        for each in loop.body:
            if isinstance(each, Store):
                self.add(f"Chunk<{STORED[each.value.dtype]}> y{each.output};")
        with self.unrolled("for (int k = 0; k < CHUNK; ++k)"):
            self.in_chunk = True
            self.statements(loop.body)
            self.in_chunk = False

    # ---- Bodies of loops -----------------------------------------------------------------------

    def statements(self, body: Iterable[Statement]) -> None:
        for statement in body:
            match statement:
                case For():
                    self.loop(statement)
                case Section():
                    self._section(statement)
                case _:
                    write_statement(self, statement)

    def _section(self, section: Section) -> None:
        self.add("")
        self.add(f"// Sweep {section.sweep} over the row.")
        for each in statements_of(section.body):
            if isinstance(each, Write) and each.buffer is Buffer.REGISTERS:
                registers = f"{self.register(each.value)}[{self.form.steps}][CHUNK]"
                self.add(f"{C_TYPES[each.value.dtype]} {registers};")
        self.statements(section.body)
