"""The body of a kernel that reduces or scans.

Some threads share a row and walk over it, once or more.
"""

from __future__ import annotations

import torch

from minits.kernels.cuda.cuda_printer.elementwise import (
    declare,
    declare_filled,
    declare_full,
    store_elements,
)
from minits.kernels.cuda.cuda_printer.expressions import (
    commented,
    expression,
    literal,
    loaded,
    rounded,
    stored,
)
from minits.kernels.cuda.cuda_printer.form import Form
from minits.kernels.cuda.cuda_printer.scans import ScanPrinter
from minits.kernels.cuda.cuda_printer.text import (
    Lines,
    declare_indices,
    flat_index,
    looked_up,
    offset,
    position,
    read,
    tensors_of,
    write,
)
from minits.kernels.cuda.cuda_printer.walks import Walk, walks_of
from minits.kernels.ir.kernel import Kernel, Level, Scalar, stages
from minits.kernels.ir.layout import Layout
from minits.kernels.ir.printing import STORED, Names
from minits.kernels.scalar_ops.row import C_TYPES, computed_in


class RowPrinter:
    """Writes the statements of one kernel."""

    def __init__(
        self, lines: Lines, kernel: Kernel, layout: Layout, form: Form, names: Names
    ) -> None:
        self.lines = lines
        self.kernel = kernel
        self.layout = layout
        self.form = form
        self.names = names
        self.walks = walks_of(kernel, keeps=form.steps > 0)
        self.scans = ScanPrinter(lines, kernel, layout, names)
        self.uniform = _uniform(kernel)
        # ROW values that may differ from row to row, but for the results of reductions.
        self.waiting = [
            value
            for value in kernel.values
            if value.level is Level.ROW
            and not value.is_reduction
            and value.op != "constant"
            and value not in self.uniform
        ]

    def print(self) -> None:
        self._begin()
        form = self.form
        first = f"(Index)blockIdx.x * {form.rows} + threadIdx.x / {form.threads}"
        step = f"(Index)gridDim.x * {form.rows}"
        with self.lines.block(f"for (Index row = {first}; row < rows; row += {step})"):
            self._begin_row()
            self._print_row()

    def _begin(self) -> None:
        """Write what is the same for all rows."""
        lines = self.lines
        lines(f"const unsigned lane = threadIdx.x % {self.form.threads};  // among those of a row")
        sizes = [f"g.size{dim}" for dim in range(self.layout.outer)]
        lines(f"const Index rows = {' * '.join(sizes) or '1'};")
        self._declare_chunks()
        for value in self.uniform:
            declare(lines, value, expression(value, self.names), self.names)

    def _declare_chunks(self) -> None:
        layout = self.layout
        last = layout.rank - 1
        inner = [f"g.size{dim}" for dim in range(layout.outer, layout.rank)]
        if any(value.op == "count" for value in self.kernel.values):
            self.lines(f"const long long count = {' * '.join(['1LL', *inner])};")
        self.lines(f"const Index row_chunks = (g.size{last} + CHUNK - 1) / CHUNK;")
        self.lines(f"const Index chunks = {' * '.join([*inner[:-1], 'row_chunks'])};")

    def _begin_row(self) -> None:
        """Find the places of the row in the tensors."""
        layout = self.layout
        outer = range(layout.outer)
        if outer:
            declare_indices(self.lines, "row", outer)
        dtypes = [given.dtype for given in self.kernel.inputs]
        dtypes += [output.value.dtype for output in self.kernel.outputs]
        read_here = {value.payload for value in self.kernel.values if value.is_read}
        for (name, strides), dtype in zip(tensors_of(layout), dtypes, strict=True):
            if name.startswith("out") or int(name[2:]) in read_here:
                constant = "const " if name.startswith("in") else ""
                place = f"{name}{offset(name, strides, outer)}"
                self.lines(f"{constant}{STORED[dtype]} *row_{name} = {place};")
        self.scans.declare()

    def _print_row(self) -> None:
        stage = stages(self.kernel)
        for number, walk in enumerate(self.walks):
            self._declare_rows([value for value in self.waiting if stage[value] == number])
            self._print_walk(number, walk)
        self._declare_rows([value for value in self.waiting if stage[value] >= len(self.walks)])
        self._write_rows()

    def _declare_rows(self, values: list[Scalar]) -> None:
        for value in values:
            if value.op == "load":
                text = loaded(f"*row_in{value.payload}", value.dtype)
            elif value.op == "look_up":
                text = loaded(looked_up(value, "row_in", "", self.names), value.dtype)
            elif value.op == "position":
                text = position(value, self.layout)
            else:
                text = expression(value, self.names)
            declare(self.lines, value, text, self.names)

    def _print_walk(self, number: int, walk: Walk) -> None:
        lines, form = self.lines, self.form
        lines("")
        lines(f"// Walk {number} over the row.")
        for value in walk.kept:
            place = f"{self._kept(value)}[{form.steps}][CHUNK]"
            lines(f"{C_TYPES[value.dtype]} {place};")
        for value in walk.reductions:
            lines(f"{accumulator(value)} {self._sum(value)} = {start_of(value)};")
        if form.steps:
            with lines.unrolled(f"for (int step = 0; step < {form.steps}; ++step)"):
                lines(f"const Index chunk = step * {form.threads} + lane;")
                with lines.block("if (chunk < chunks)"):
                    self._print_chunk(number, walk)
        else:
            with lines.block(self._columns()):
                self._print_chunk(number, walk)
        for value in walk.reductions:
            self._finish(value)
        self.scans.scan(walk.scans)

    def _columns(self) -> str:
        return f"for (Index chunk = lane; chunk < chunks; chunk += {self.form.threads})"

    def _print_chunk(self, number: int, walk: Walk) -> None:
        lines, layout = self.lines, self.layout
        inner = range(layout.outer, layout.rank)
        declare_indices(lines, "chunk", inner, "row_chunks")
        declare_filled(lines, layout.rank - 1)
        loads = [value.payload for value in walk.values if value.op == "load"]
        read(lines, self.kernel, layout, loads, "row_in")
        for index in walk.outputs:
            lines(f"Chunk<{STORED[self.kernel.outputs[index].value.dtype]}> y{index};")
        with lines.unrolled("for (int k = 0; k < CHUNK; ++k)"):
            for earlier in self.walks[:number]:
                for value in earlier.kept:
                    if self._is_used(value, walk):
                        declare(lines, value, f"{self._kept(value)}[step][k]", self.names)
            self.scans.read(walk.reread)
            declare_full(lines, walk.values, layout, self.names)
            for value in walk.kept:
                lines(f"{self._kept(value)}[step][k] = {self.names[value]};")
            self.scans.write(walk.scans)
            for value in walk.reductions:
                self._accumulate(value)
            store_elements(lines, self.kernel, walk.outputs, self.names)
        write(lines, layout, walk.outputs, "row_out")

    def _is_used(self, value: Scalar, walk: Walk) -> bool:
        users = [*walk.values, *walk.reductions]
        is_output = any(self.kernel.outputs[i].value is value for i in walk.outputs)
        return is_output or any(value in user.operands for user in users)

    def _kept(self, value: Scalar) -> str:
        return f"kept{self.names.number(value)}"

    def _sum(self, value: Scalar) -> str:
        return f"{value.op}{self.names.number(value)}"

    def _accumulate(self, value: Scalar) -> None:
        operation, total = value.op.capitalize(), self._sum(value)
        text = self.names[value.operands[0]]
        if value.op.startswith("arg"):
            place = flat_index(self.layout)
            text = f"{accumulator(value)}{{{self.names[value.operands[0]]}, {place}}}"
        line = f"if (k < filled) {total} = {operation}::of({total}, {text});"
        self.lines(commented(line, value))

    def _finish(self, value: Scalar) -> None:
        result = f"across_row<{value.op.capitalize()}>({self._sum(value)})"
        if value.op.startswith("arg"):
            result += ".index"
        declare(self.lines, value, rounded(result, value.dtype), self.names)

    def _write_rows(self) -> None:
        """Write the outputs that have one value for each row."""
        for index, output in enumerate(self.kernel.outputs):
            value = output.value
            if value.level is Level.ROW:
                text = stored(self.names[value], value.dtype)
                self.lines(f"if (lane == 0) *row_out{index} = {text};")


def _uniform(kernel: Kernel) -> list[Scalar]:
    """Return the values that are the same in all rows; constants are not declared at all."""
    varying: set[Scalar] = set()
    for value in kernel.values:
        is_read = value.is_read or value.ends_walk or value.level is Level.FULL
        is_read = is_read or value.op == "position"
        if is_read or any(operand in varying for operand in value.operands):
            varying.add(value)
    return [v for v in kernel.values if v not in varying and v.op != "constant"]


def accumulator(value: Scalar) -> str:
    """The type in which a thread gathers its part of a reduction."""
    operand = value.operands[0]
    kind = C_TYPES[operand.dtype]
    return f"Place<{kind}>" if value.op.startswith("arg") else kind


def start_of(value: Scalar) -> str:
    """What a reduction over no columns gives."""
    dtype = computed_in(value.operands[0].dtype)
    if value.op in ("any", "all"):
        return "true" if value.op == "all" else "false"
    if value.op in ("sum", "prod"):
        return literal(value.op == "prod", dtype)
    is_low = value.op in ("max", "argmax")
    if dtype.is_floating_point:
        bound: bool | int | float = float("-inf" if is_low else "inf")
    elif dtype == torch.bool:
        bound = not is_low
    else:
        bound = torch.iinfo(dtype).min if is_low else torch.iinfo(dtype).max
    text = literal(bound, dtype)
    return f"{{{text}, 0x7fffffffffffffffLL}}" if value.op.startswith("arg") else text
