"""Rows in tiles, in C: each sweep is a loop over the rows of a tile.

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

Floats are summed from memory, a block at a time, since gcc adds up the lanes of a vector of its own
one by one; the sums of blocks are added with more bits than a float, or a double, has.
"""

from __future__ import annotations

import torch

from minits.kernels.cpu.c_printer.expressions import (
    COMBINE,
    comment,
    extreme,
    reduced_nothing,
    rounded,
    sum_type,
)
from minits.kernels.cpu.c_printer.loops import Loops
from minits.kernels.ir.kernel import Scalar
from minits.kernels.scalar_ops.row import C_TYPES, SHORT_NAMES, computed_in, kind_of
from minits.kernels.schedule.cpu import BLOCK, MOST_ROWS
from minits.kernels.schedule.loops import (
    Accumulate,
    Buffer,
    Finish,
    For,
    Over,
    Read,
    Scan,
    Start,
    Statement,
    SumBlock,
    Write,
    statements_of,
)


class Tiles(Loops):
    """Writes loops over tiles of rows. `in_row` tells whether a row is at hand."""

    in_row = False

    def tasks(self, loop: For) -> None:
        outer = self.layout.outer
        self._declare_buffers(loop)
        self.first_index(outer, "begin")
        with self.block("for (long long task = begin; task < end; task += tile)"):
            self.add("const int rows = end - task < tile ? end - task : tile;")
            with self.block("for (int r = 0; r < rows; ++r)"):
                for number, name in self._moving():
                    terms = self.offset_terms(number, range(outer))
                    self.add(f"offset_{name}[r] = {' + '.join(terms)};")
                for dim in self._asked_dims():
                    self.add(f"at_{dim}[r] = i{dim};")
                self.next_index(outer)
            self.statements(loop.body)
        if self.schedule.near:
            self.add("free(far);")

    def loop(self, loop: For) -> None:
        if loop.over is Over.ROWS:
            self._over_rows(loop)
        elif loop.over is Over.BLOCKS:
            self._over_blocks(loop)
        else:
            super().loop(loop)

    def _over_rows(self, loop: For) -> None:
        with self.block("for (int r = 0; r < rows; ++r)"):
            moving = dict(self._moving())
            for number in self.tensors_used(loop.body):
                name, _, type = self.tensors[number]
                pointer = f"{name} + offset_{name}[r]" if number in moving else name
                self.add(f"{type} *restrict row_{name} = {pointer};")
            for value in _kept_in(loop):
                name, type = self.names[value], C_TYPES[value.dtype]
                self.add(f"{type} *restrict kept_{name} = all_{name} + r * count;")
            self.in_row = True
            self.statements(loop.body)
            self.in_row = False

    def _over_blocks(self, loop: For) -> None:
        last, step = self.layout.rank - 1, loop.step
        with self.block(f"for (long long block = 0; block < n{last}; block += {step})"):
            self.add(f"const long long stop = block + {step} < n{last} ? block + {step} : n{last};")
            whole, self.columns = self.columns, ("block", "stop")
            self.statements(loop.body)
            self.columns = whole

    # ---- Where things are ----------------------------------------------------------------------

    def _moving(self) -> list[tuple[int, str]]:
        """Return the numbers and names of the tensors that are elsewhere for each row."""
        outer = range(self.layout.outer)
        everywhere = self.tensors_used([self.schedule.loop])
        return [
            (number, self.tensors[number][0])
            for number in everywhere
            if self.offset_terms(number, outer)
        ]

    def _asked_dims(self) -> list[int]:
        """Return the dimensions of rows along which positions are asked for."""
        dims = [dim for _, dim in self.layout.positions if dim is not None]
        return sorted({dim for dim in dims if dim < self.layout.outer})

    def position(self, dim: int) -> str:
        return f"at_{dim}[r]" if dim < self.layout.outer else super().position(dim)

    def _declare_buffers(self, loop: For) -> None:
        most = loop.step
        self.add(
            f"const long long tile = count <= {most // MOST_ROWS} ? {MOST_ROWS} : "
            f"count < {most} ? {most} / count : 1;"
        )
        for _, name in self._moving():
            self.add(f"long long offset_{name}[{MOST_ROWS}];")
        for dim in self._asked_dims():
            self.add(f"long long at_{dim}[{MOST_ROWS}];")
        self._declare_kept()
        for value in self.schedule.written(Buffer.BLOCK):
            text = f"{C_TYPES[value.dtype]} block_{self.names[value]}[{BLOCK}]"
            self.add(f"{text} __attribute__((aligned(64)));")
        for value in self.schedule.written(Buffer.ROW):
            self.add(f"{C_TYPES[value.dtype]} of_row_{self.names[value]}[{MOST_ROWS}];")

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

    # ---- Statements ----------------------------------------------------------------------------

    def statement(self, statement: Statement) -> None:
        match statement:
            case Read(value, Buffer.ROW):
                self.declare(value, f"of_row_{self.names[value]}[r]")
            case Read(value):
                text = f"kept_{self.names[value]}[{self.index}]"
                # of a scan of halves, it is yet to be rounded
                self.declare(value, rounded(text, value.dtype) if value.is_scan else text)
            case Write():
                self._write(statement)
            case Start(value):
                self._start(value)
            case Accumulate(value):
                self._accumulate(value)
            case SumBlock(value, buffer):
                self._sum_block(value, buffer)
            case Finish(value):
                self._finish(value)
            case Scan(value):
                self._scan(value)

    def _write(self, write: Write) -> None:
        name, written = self.names[write.value], self.names[write.written]
        match write.buffer:
            case Buffer.ROW:
                self.add(f"of_row_{name}[r] = {written};")
            case Buffer.KEPT:
                self.add(f"kept_{name}[{self.index}] = {written};")
            case Buffer.BLOCK:
                self.add(f"block_{name}[i - block] = {written};{comment(write.value)}")

    def _scan(self, value: Scalar) -> None:
        """Scan what was written to the buffers of a value, by one row or by all of a tile."""
        name, type, step = self.names[value], SHORT_NAMES[value.dtype], int(value.payload)
        if self.in_row:
            text = f"mts_{value.op}_{type}(kept_{name}, count, {step});"
        else:
            text = f"mts_{value.op}_rows_{type}(all_{name}, rows, count, {step});"
        self.add(f"{text}{comment(value)}")

    # ---- Reductions ----------------------------------------------------------------------------

    def _start(self, value: Scalar) -> None:
        name, dtype = self.names[value], value.operands[0].dtype
        match value.op:
            case "sum" | "prod":
                self.add(f"{sum_type(value)} sum_{name} = {reduced_nothing(value)};")
                if value.dtype == torch.float64 and value.op == "sum":
                    self.add(f"double lost_{name} = 0;")
            case "any" | "all":
                self.add(f"int sum_{name} = {reduced_nothing(value)};")
            case "max" | "min":
                self.add(f"{C_TYPES[dtype]} sum_{name} = {extreme(value)};")
                if kind_of(dtype) == "f":
                    self.add(f"int nan_{name} = 0;")
            case _:
                self.add(f"long long sum_{name} = count;")

    def clause(self, value: Scalar) -> str:
        name = self.names[value]
        if value.op in COMBINE:
            return f" reduction({COMBINE[value.op]}:sum_{name})"
        if value.op in ("argmax", "argmin"):
            return f" reduction(min:sum_{name})"
        clause = f" reduction({value.op}:sum_{name})"
        if kind_of(value.operands[0].dtype) == "f":
            clause += f" reduction(|:nan_{name})"
        return clause

    def _accumulate(self, value: Scalar) -> None:
        name, operand = self.names[value], self.names[value.operands[0]]
        note = comment(value)
        match value.op:
            case "sum" | "prod" | "any" | "all":
                self.add(f"sum_{name} {COMBINE[value.op]}= {operand};{note}")
            case "max" | "min":
                sign = ">" if value.op == "max" else "<"
                self.add(
                    f"sum_{name} = {operand} {sign} sum_{name} ? {operand} : sum_{name};{note}"
                )
                if kind_of(value.operands[0].dtype) == "f":
                    self.add(f"nan_{name} |= {operand} != {operand};")
            case _:
                found = f"{operand} == {self.names[value.operands[1]]}"
                if kind_of(value.operands[0].dtype) == "f":
                    found = f"({found} || {operand} != {operand})"
                is_first = f"{found} && {self.index} < sum_{name}"
                self.add(f"sum_{name} = {is_first} ? {self.index} : sum_{name};{note}")

    def _sum_block(self, value: Scalar, buffer: Buffer | None) -> None:
        """Add the sum of a block of elements that are in memory."""
        name, dtype = self.names[value], SHORT_NAMES[computed_in(value.dtype)]
        text = f"mts_sum_{dtype}({self._block_in(value, buffer)}, stop - block)"
        if value.dtype == torch.float64:
            text = f"sum_{name} = mts_add_f64(sum_{name}, {text}, &lost_{name})"
        else:
            text = f"sum_{name} += {text}"
        self.add(f"{text};{comment(value)}")

    def _block_in(self, value: Scalar, buffer: Buffer | None) -> str:
        """Return the expression of the address of a block's elements."""
        is_flat = self.layout.inner == 1
        if buffer is Buffer.BLOCK:
            return f"block_{self.names[value]}"
        operand = value.operands[0]
        if buffer is Buffer.KEPT:
            return f"kept_{self.names[operand]} + {'block' if is_flat else 'base + block'}"
        return f"{'row' if is_flat else 'at'}_in{operand.payload} + block"

    def _finish(self, value: Scalar) -> None:
        name = self.names[value]
        text = f"sum_{name}"
        if value.op in ("max", "min") and kind_of(value.operands[0].dtype) == "f":
            text = f'nan_{name} ? __builtin_nanf("") : sum_{name}'
        if value.op in ("sum", "prod"):
            text = rounded(f"({C_TYPES[value.dtype]})sum_{name}", value.dtype)
        if value.op == "sum" and value.dtype == torch.float64:
            text = f"lost_{name} == lost_{name} ? sum_{name} + lost_{name} : sum_{name}"
        self.declare(value, text, comment(value))


def _kept_in(loop: For) -> list[Scalar]:
    """Return the values of whose buffers a loop over rows reads or writes elements."""
    return [
        each.value
        for each in statements_of(loop.body)
        if isinstance(each, Read | Write) and each.buffer is Buffer.KEPT
    ]
