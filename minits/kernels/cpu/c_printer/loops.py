"""Loops of a schedule as C: the body of a function that does a range of tasks.

Each thread has a range of tasks. Rows in tiles, each of which a sweep runs over:

    for (long long task = begin; task < end; task += tile) {
        const int rows = ...;
        for (int r = 0; r < rows; ++r) { offset_in0[r] = i0 * g[4]; ++i0; }

        // Sweep 0 over each row.
        for (int r = 0; r < rows; ++r) {
            const float *restrict row_in0 = in0 + offset_in0[r];
            float sum_v1 = -INFINITY;
            #pragma omp simd reduction(max:sum_v1)
            for (long long i = 0; i < n1; ++i) { ... }
            const float v1 = sum_v1;
            of_row_v1[r] = v1;
        }

Neighbouring rows, of which the innermost loops are; what is known of rows, and what is accumulated,
is in arrays with an element for each of them:

    for (long long task = begin; task < end;) {
        const float *restrict row_in0 = in0 + i0 * g[4];
        for (long long i = 0; i < n1; ++i) {
            #pragma omp simd
            for (int r = 0; r < rows; ++r) {
                const float v0 = row_in0[r * g[2] + i];

Stretches of rows, in kernels that reduce nothing, are one loop over columns.
"""

from __future__ import annotations

from collections.abc import Iterable

from minits.kernels.cpu.c_printer.buffers import declare_neighbours, declare_sizes, declare_tile
from minits.kernels.cpu.c_printer.expressions import clause
from minits.kernels.cpu.c_printer.function_body import FunctionBody, rare_flag
from minits.kernels.cpu.c_printer.lanes import has_lanes, write_strips
from minits.kernels.cpu.c_printer.statements import write_let, write_statement
from minits.kernels.cpu.task_functions import RARE
from minits.kernels.schedule.loops import (
    Accumulate,
    EndOfBlock,
    For,
    Locate,
    Over,
    Section,
    Statement,
)


class LoopPrinter(FunctionBody):
    """Writes the body of a function that does a range of tasks."""

    def body(self) -> str:
        declare_sizes(self)
        for value in self.schedule.once:
            write_let(self, value)
        self.add("if (begin >= end) return 0;")
        match self.schedule.loop.over:
            case Over.STRETCHES:
                self._stretches(self.schedule.loop)
            case Over.TILES:
                self._tiles(self.schedule.loop)
            case Over.NEIGHBOURS:
                self._neighbours(self.schedule.loop)
        if self.rare:
            self.add(f"if ({' | '.join(map(rare_flag, self.rare))}) return {RARE};")
        self.add("return failed ? 2 : 0;" if self.kernel.has_checks else "return 0;")
        return str(self)

    # ---- Loops over tasks ----------------------------------------------------------------------

    def _stretches(self, loop: For) -> None:
        """Write the loop over stretches of rows, counted as if all stood behind each other."""
        last, step = self.last, loop.step
        self.add(f"const long long stretches = (n{last} + {step - 1}) / {step};")
        self.add("long long stretch = begin % stretches;")
        self._first_index(last, "(begin / stretches)")
        with self.block("for (long long task = begin; task < end; ++task)"):
            self.add(f"const long long first = stretch * {step};")
            self.add(f"const long long rest_of_row = n{last} - first;")
            rest = f"(rest_of_row < {step} ? rest_of_row : {step})"
            self.add(f"const long long past = first + {rest};")
            self.columns = ("first", "past")
            self.statements(loop.body)
            with self.block("if (++stretch == stretches)"):
                self.add("stretch = 0;")
                self.next_index(last)

    def _tiles(self, loop: For) -> None:
        outer, most = self.layout.outer, loop.step
        one = f"count < {most} ? {most} / count : 1"
        self.add(f"const long long tile = count <= {most // loop.rows} ? {loop.rows} : {one};")
        (located,) = [each for each in loop.body if isinstance(each, Locate)]
        declare_tile(self, located)
        self._first_index(outer, "begin")
        with self.block("for (long long task = begin; task < end; task += tile)"):
            self.add("const int rows = end - task < tile ? end - task : tile;")
            self.statements(loop.body)
        if self.schedule.near:
            self.add("free(far);")

    def _neighbours(self, loop: For) -> None:
        dim, step = self.layout.row_dims - 1, loop.step
        declare_neighbours(self, step)
        self._first_index(dim + 1, "begin")
        with self.block("for (long long task = begin; task < end;)"):
            self.add(f"const long long side_by_side = n{dim} - i{dim};")
            left = "end - task < side_by_side ? end - task : side_by_side"
            self.add(f"const long long left = {left};")
            self.add(f"const int rows = left < {step} ? left : {step};")
            self.statements(loop.body)
            self.add("task += rows;")
            self.add(f"i{dim} += rows;")
            with self.block(f"if (i{dim} == n{dim})"):
                self.add(f"i{dim} = 0;")
                self.next_index(dim)

    def _first_index(self, dims: int, index: str) -> None:
        """Declare `i0`, ... of the first task from an index of the first dimensions as one."""
        for dim in reversed(range(1, dims)):
            self.add(f"long long i{dim} = {index} % n{dim};")
            self.add(f"long long rest{dim} = {index} / n{dim};")
            index = f"rest{dim}"
        if dims:
            self.add(f"long long i0 = {index};")

    # ---- Loops within a task -------------------------------------------------------------------

    def loop(self, loop: For) -> None:
        match loop.over:
            case Over.ROWS:
                with self.rows():
                    self.in_row = True
                    self.statements(loop.body)
                    self.in_row = False
            case Over.DIM:
                dim = loop.dim
                with self.block(f"for (long long i{dim} = 0; i{dim} < n{dim}; ++i{dim})"):
                    self.statements(loop.body)
            case Over.BLOCKS:
                self._blocks(loop)
            case Over.COLUMNS:
                self._columns(loop)

    def _blocks(self, loop: For) -> None:
        end, step = f"n{self.last}", loop.step
        with self.block(f"for (long long block = 0; block < {end}; block += {step})"):
            self.add(f"const long long stop = block + {step} < {end} ? block + {step} : {end};")
            whole, self.columns = self.columns, ("block", "stop")
            self.statements(loop.body)
            self.columns = whole

    def _columns(self, loop: For) -> None:
        begin, end = self.columns
        if has_lanes(loop) and not self.kernel.has_checks:
            self.strips += 1
            begin = f"strip{self.strips}"
            write_strips(self, loop, begin)
        if loop.in_vectors:
            sums = [each.value for each in loop.body if isinstance(each, Accumulate)]
            self.pragma_simd("".join([clause(value, self.names[value]) for value in sums]))
        with self.block(f"for (long long i = {begin}; i < {end}; ++i)"):
            self.elements.in_columns = True
            self.statements(loop.body)
            self.elements.in_columns = False

    def statements(self, body: Iterable[Statement]) -> None:
        for statement in body:
            match statement:
                case For():
                    self.loop(statement)
                case Section(sweep):
                    self.add("")
                    if sweep is not None:
                        swept = "the rows" if self.side_by_side else "each row"
                        self.add(f"// Sweep {sweep} over {swept}.")
                    self.statements(statement.body)
                case EndOfBlock(step):
                    end = f"i % {step} == {step - 1} || i == n{self.last} - 1"
                    with self.block(f"if ({end})"):
                        self.statements(statement.body)
                case _:
                    write_statement(self, statement)
