"""Loops and statements of a schedule as C: the body of a function that does a range of tasks.

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

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import torch

from minits.kernels.cpu.arguments import Arguments
from minits.kernels.cpu.c_printer.expressions import (
    COMBINE,
    SCAN_STARTS,
    SCANNED,
    Elements,
    accumulate_extreme,
    accumulate_extremes,
    accumulators,
    add_block,
    clause,
    comment,
    expression,
    literal,
    rare_test,
    reduced,
    rounded,
    scan_type,
    stored,
)
from minits.kernels.cpu.task_functions import RARE
from minits.kernels.ir.kernel import Scalar
from minits.kernels.ir.layout import Stride
from minits.kernels.ir.printing import Lines, Names
from minits.kernels.scalar_ops.row import C_TYPES, SHORT_NAMES
from minits.kernels.schedule.loops import (
    Accumulate,
    AddBlock,
    Buffer,
    EndOfBlock,
    Finish,
    For,
    Let,
    Locate,
    Over,
    Point,
    Read,
    Scan,
    Schedule,
    Section,
    Start,
    Statement,
    Store,
    SumBlock,
    Write,
)
from minits.kernels.schedule.usual import rare_dtype

_RARE_TYPES = {torch.float32: "int", torch.float64: "long long"}
"""The types in which it is noted that there were rare operands: as wide as these, so that vectors
of both are equally long."""


class LoopPrinter(Lines):
    """Writes the body of a function that does a range of tasks.

    What is computed is right for all operands if it `takes_all`, else for usual ones
    (`schedule.usual`). `columns` are the first index along the last dimension, and the end, of
    those that are next; `in_row` tells whether a row is at hand. Rows are `side_by_side` where the
    innermost loops are over rows.
    """

    def __init__(self, schedule: Schedule, takes_all: bool = False) -> None:
        super().__init__(depth=1)
        self.schedule = schedule
        self.kernel = schedule.kernel
        self.layout = schedule.layout
        self.arguments = Arguments(self.kernel, self.layout)
        self.takes_all = takes_all
        self.rare = () if takes_all else schedule.usual.rare
        self.names = Names(self.kernel.values, literal)
        self.elements = Elements(schedule, self.arguments, self.names)
        self.last = self.layout.rank - 1
        self.columns = ("0", f"n{self.last}")
        self.in_row = False
        self.side_by_side = schedule.loop.over is Over.NEIGHBOURS

    def body(self) -> str:
        self._declare_sizes()
        for value in self.schedule.once:
            self._let(value)
        self.add("if (begin >= end) return 0;")
        match self.schedule.loop.over:
            case Over.STRETCHES:
                self._stretches(self.schedule.loop)
            case Over.TILES:
                self._tiles(self.schedule.loop)
            case Over.NEIGHBOURS:
                self._neighbours(self.schedule.loop)
        if self.rare:
            self.add(f"if ({' | '.join(map(_noted, self.rare))}) return {RARE};")
        self.add("return failed ? 2 : 0;" if self.kernel.has_checks else "return 0;")
        return str(self)

    def _declare_sizes(self) -> None:
        layout = self.layout
        for dim in range(layout.rank):
            self.add(f"const long long n{dim} = g[{dim}];")
        for table, strides in enumerate(layout.tables):
            for dim, stride in enumerate(strides):
                if stride is Stride.ANY:
                    step = self.arguments.table_number(table, len(strides) + dim)
                    self.add(f"const long long step{table}_{dim} = {step};")
        if self.kernel.has_checks:
            self.add("int failed = 0;")
        for dtype in self.rare:
            self.add(f"{_RARE_TYPES[dtype]} {_noted(dtype)} = 0;")
        if layout.inner:
            sizes = [f"n{dim}" for dim in range(layout.outer, layout.rank)]
            self.add(f"const long long count = {' * '.join(sizes)};")

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
                self._next_index(last)

    def _tiles(self, loop: For) -> None:
        outer, most = self.layout.outer, loop.step
        one = f"count < {most} ? {most} / count : 1"
        self.add(f"const long long tile = count <= {most // loop.rows} ? {loop.rows} : {one};")
        (located,) = [each for each in loop.body if isinstance(each, Locate)]
        self._declare_buffers(located)
        self._first_index(outer, "begin")
        with self.block("for (long long task = begin; task < end; task += tile)"):
            self.add("const int rows = end - task < tile ? end - task : tile;")
            self.statements(loop.body)
        if self.schedule.near:
            self.add("free(far);")

    def _locate(self, located: Locate) -> None:
        """Move on from row to row of a tile, and note where they are."""
        outer = self.layout.outer
        with self.block("for (int r = 0; r < rows; ++r)"):
            for number in located.tensors:
                terms = self.arguments.offset_terms(number, range(outer))
                self.add(f"offset_{self.arguments.tensors[number].name}[r] = {' + '.join(terms)};")
            for dim in located.dims:
                self.add(f"at_{dim}[r] = i{dim};")
            self._next_index(outer)

    def _neighbours(self, loop: For) -> None:
        dim, step = self.layout.row_dims - 1, loop.step
        self._declare_arrays(step)
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
                self._next_index(dim)

    def _first_index(self, dims: int, index: str) -> None:
        """Declare `i0`, ... of the first task from an index of the first dimensions as one."""
        for dim in reversed(range(1, dims)):
            self.add(f"long long i{dim} = {index} % n{dim};")
            self.add(f"long long rest{dim} = {index} / n{dim};")
            index = f"rest{dim}"
        if dims:
            self.add(f"long long i0 = {index};")

    def _next_index(self, dims: int) -> None:
        """Move `i0`, ... on to the next row: divisions cost as much as a short row."""
        if dims > 1:
            with self.block(f"if (++i{dims - 1} == n{dims - 1})"):
                self.add(f"i{dims - 1} = 0;")
                self._next_index(dims - 1)
        elif dims:
            self.add("++i0;")

    # ---- Buffers -------------------------------------------------------------------------------

    def _declare_buffers(self, located: Locate) -> None:
        """Declare what is known of the rows of a tile."""
        most = self.schedule.loop.rows
        for number in located.tensors:
            self.add(f"long long offset_{self.arguments.tensors[number].name}[{most}];")
        for dim in located.dims:
            self.add(f"long long at_{dim}[{most}];")
        self._declare_kept()
        for value in self.schedule.written(Buffer.BLOCK):
            text = f"{C_TYPES[value.dtype]} block_{self.names[value]}[{self.schedule.block}]"
            self.add(f"{text} __attribute__((aligned(64)));")
        for value in self.schedule.written(Buffer.ROW):
            self.add(f"{C_TYPES[value.dtype]} of_row_{self.names[value]}[{most}];")

    def _declare_kept(self) -> None:
        """Declare the buffers of a row, or of a tile's rows: all on the heap if a row is long."""
        kept, near = self.schedule.written(Buffer.KEPT), self.schedule.near
        if not kept:
            return
        types = [C_TYPES[value.dtype] for value in kept]
        self.add("const long long room = (count + 15) / 16 * 16;")
        size = " + ".join(f"sizeof({type})" for type in types)
        self.add(f"char *const far = count > {near} ? malloc(room * ({size})) : 0;")
        self.add(f"if (count > {near} && !far) return 1;")
        past = "far"
        for value, type in zip(kept, types, strict=True):
            name = self.names[value]
            self.add(f"{type} near_{name}[{near}] __attribute__((aligned(64)));")
            self.add(f"{type} *restrict all_{name} = far ? ({type} *)({past}) : near_{name};")
            past += f" + room * sizeof({type})"

    def _declare_arrays(self, rows: int) -> None:
        """Declare what is known of neighbouring rows, and their accumulators."""
        for value in self.schedule.written(Buffer.KEPT):
            self.add(
                f"{C_TYPES[value.dtype]} kept_{self.names[value]}[{self.schedule.near * rows}];"
            )
        waiting = self.schedule.written(Buffer.ROW)
        for value in self.kernel.values:
            name = self.names[value]
            arrays = [(C_TYPES[value.dtype], "row")] if value in waiting else []
            if value.is_reduction:
                found = accumulators(value, side_by_side=True)
                arrays += sorted([each[:2] for each in found], key=lambda each: each[1] != "sum")
            if value.is_scan:
                arrays.append((scan_type(value), "scan"))
            for type, prefix in arrays:
                self.add(f"{type} {prefix}_{name}[{rows}];")

    # ---- Loops within a task -------------------------------------------------------------------

    def loop(self, loop: For) -> None:
        match loop.over:
            case Over.ROWS:
                with self._rows():
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

    @contextmanager
    def _rows(self) -> Iterator[None]:
        if self.side_by_side:
            self._pragma_simd()
        with self.block("for (int r = 0; r < rows; ++r)"):
            yield

    def _blocks(self, loop: For) -> None:
        end, step = f"n{self.last}", loop.step
        with self.block(f"for (long long block = 0; block < {end}; block += {step})"):
            self.add(f"const long long stop = block + {step} < {end} ? block + {step} : {end};")
            whole, self.columns = self.columns, ("block", "stop")
            self.statements(loop.body)
            self.columns = whole

    def _columns(self, loop: For) -> None:
        begin, end = self.columns
        if loop.in_vectors:
            sums = [each.value for each in loop.body if isinstance(each, Accumulate)]
            self._pragma_simd("".join([clause(value, self.names[value]) for value in sums]))
        with self.block(f"for (long long i = {begin}; i < {end}; ++i)"):
            self.elements.in_columns = True
            self.statements(loop.body)
            self.elements.in_columns = False

    def _pragma_simd(self, clauses: str = "") -> None:
        """Announce a loop whose iterations do not depend on each other, but for the checks."""
        noted = ["failed"] if self.kernel.has_checks else []
        noted += map(_noted, self.rare)
        reductions = "".join([f" reduction(|:{name})" for name in noted])
        self.add(f"#pragma omp simd{clauses}{reductions}")

    # ---- Statements ----------------------------------------------------------------------------

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
                    self.statement(statement)

    def statement(self, statement: Statement) -> None:
        match statement:
            case Locate():
                self._locate(statement)
            case Point():
                self._point(statement)
            case Let(value):
                self._let(value)
            case Store():
                self._store(statement)
            case Read(value, buffer):
                text = self.elements.waiting(value, buffer)
                # of a scan of halves, it is yet to be rounded
                is_wider = buffer is Buffer.KEPT and value.is_scan
                self._declare(value, rounded(text, value.dtype) if is_wider else text)
            case Write(value, buffer):
                note = comment(value) if buffer is Buffer.BLOCK else ""
                text = self.elements.waiting(value, buffer)
                self.add(f"{text} = {self.names[statement.written]};{note}")
            case Start(value):
                name = self.names[value]
                for type, prefix, nothing in accumulators(value, self.side_by_side):
                    into = f"{prefix}_{name}[r]" if self.side_by_side else f"{type} {prefix}_{name}"
                    self.add(f"{into} = {nothing};")
            case Accumulate(value, of_block):
                self._accumulate(value, of_block)
            case AddBlock(value):
                name = self.names[value]
                self.add(f"sum_{name}[r] += block_{name}[r];{comment(value)}")
                self.add(f"block_{name}[r] = 0;")
            case SumBlock(value, buffer):
                text = add_block(value, self.names[value], self.elements.block(value, buffer))
                self.add(f"{text}{comment(value)}")
            case Finish(value):
                text = reduced(value, self.names[value], self.side_by_side)
                self._declare(value, text, comment(value))
            case Scan(value):
                self._scan(value)

    def _point(self, point: Point) -> None:
        """Declare pointers to a row, or to where the last one of several inner dimensions begins.

        Behind the latter stands the offset in buffers, `base`.
        """
        if point.dims > self.layout.row_dims:
            self._point_inside(point)
            return
        for number in point.tensors:
            name, _, type = self.arguments.tensors[number]
            terms = self.arguments.offset_terms(number, range(point.dims))
            if self.in_row and terms:
                terms = [f"offset_{name}[r]"]
            self.add(f"{type} *restrict row_{name} = {' + '.join([name, *terms])};")
        for value in point.kept if self.in_row else ():
            name, type = self.names[value], C_TYPES[value.dtype]
            self.add(f"{type} *restrict kept_{name} = all_{name} + r * count;")

    def _point_inside(self, point: Point) -> None:
        dims, flat = range(self.layout.outer, point.dims), ""
        for number in point.tensors:
            name, _, type = self.arguments.tensors[number]
            terms = [f"row_{name}", *self.arguments.offset_terms(number, dims)]
            self.add(f"{type} *restrict at_{name} = {' + '.join(terms)};")
        for dim in dims:
            flat = f"({flat} + i{dim}) * n{dim + 1}" if flat else f"i{dim} * n{dim + 1}"
        self.add(f"const long long base = {flat};")

    def _let(self, value: Scalar) -> None:
        """Declare a value, and note whether it was computed of rare operands."""
        if value.op == "checked":
            self.add(f"failed |= !{self.names[value.operands[1]]};{comment(value)}")
        text = self.elements.text(value)
        if text is None:
            text = expression(value, self.names, self.takes_all, self.schedule.calls.get(value))
        self._declare(value, text, comment(value))
        if self.rare and (dtype := rare_dtype(value)) is not None:
            self.add(f"{_noted(dtype)} |= {rare_test(value, dtype, self.names)};")

    def _declare(self, value: Scalar, text: str, note: str = "") -> None:
        self.add(f"const {C_TYPES[value.dtype]} {self.names[value]} = {text};{note}")

    def _store(self, store: Store) -> None:
        """Write a value to an output."""
        value = store.value
        text = self.elements.waiting(value, Buffer.ROW) if store.is_waiting else self.names[value]
        self.add(f"{self.elements.output(store.output)} = {stored(value.dtype, text)};")

    def _accumulate(self, value: Scalar, of_block: bool) -> None:
        name, operand, note = self.names[value], self.names[value.operands[0]], comment(value)
        if value.op in COMBINE:
            into = f"{'block' if of_block else 'sum'}_{name}{'[r]' if self.side_by_side else ''}"
            self.add(f"{into} {COMBINE[value.op]}= {operand};{note}")
            return
        accumulate = accumulate_extremes if self.side_by_side else accumulate_extreme
        for line in accumulate(value, self.names, self.elements.index, note):
            self.add(line)

    def _scan(self, value: Scalar) -> None:
        """Scan what was written to the buffers of a value, by one row or by all at once."""
        name, type, step = self.names[value], SHORT_NAMES[value.dtype], int(value.payload)
        if self.side_by_side:
            self._scan_neighbours(value)
        elif self.in_row:
            self.add(f"mts_{value.op}_{type}(kept_{name}, count, {step});{comment(value)}")
        else:
            call = f"mts_{value.op}_rows_{type}(all_{name}, rows, count, {step});"
            self.add(f"{call}{comment(value)}")

    def _scan_neighbours(self, value: Scalar) -> None:
        """Scan the buffer of a value: of all rows one element, then the next one."""
        name, rows, step = self.names[value], self.schedule.loop.step, int(value.payload)
        first, end = ("0", f"i < n{self.last}") if step > 0 else (f"n{self.last} - 1", "i >= 0")
        with self._rows():
            start = SCAN_STARTS.get(value.op, f"kept_{name}[({first}) * {rows} + r]")
            self.add(f"scan_{name}[r] = {start};")
        with self.block(f"for (long long i = {first}; {end}; i += {step})"), self._rows():
            here = f"kept_{name}[i * {rows} + r]"
            text = SCANNED[value.op].format(f"scan_{name}[r]", here)
            self.add(f"{here} = scan_{name}[r] = {text};{comment(value)}")


def _noted(dtype: torch.dtype) -> str:
    """Return the variable in which it is noted that operands of a dtype were rare."""
    return f"rare_{SHORT_NAMES[dtype]}"
