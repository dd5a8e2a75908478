"""The bodies of the two functions that reduce few, very long rows.

The blocks of the first each have a part of a row, and write what they found of each reduction into
a workspace; the second combines the parts, a block to a row, and computes what follows.
"""

from __future__ import annotations

from minits.kernels.cuda.cuda_printer.rows import RowPrinter, accumulator, start_of
from minits.kernels.ir.kernel import Scalar, stages

PART_BYTES = 16
"""Of the workspace, for each reduction and part: no accumulator is larger."""


class SplitPrinter(RowPrinter):
    """Writes the statements of both functions, one after the other."""

    def print_parts(self) -> None:
        self._begin()
        lines = self.lines
        with lines.block("for (Index item = blockIdx.x; item < rows * g.parts; item += gridDim.x)"):
            lines("const Index row = item / g.parts;")
            lines("const Index part = item % g.parts;")
            self._begin_row()
            stage = stages(self.kernel)
            self._declare_rows([value for value in self.waiting if stage[value] == 0])
            self._print_walk(0, self.walks[0])

    def print_combination(self) -> None:
        self._begin()
        lines = self.lines
        with lines.block("for (Index row = blockIdx.x; row < rows; row += gridDim.x)"):
            self._begin_row()
            for value in self.walks[0].reductions:
                kind = accumulator(value)
                lines(f"{kind} {self._sum(value)} = {start_of(value)};")
            with lines.block(
                f"for (Index part = lane; part < g.parts; part += {self.form.threads})"
            ):
                for value in self.walks[0].reductions:
                    total, operation = self._sum(value), value.op.capitalize()
                    part = f"{self._parts(value)}[row * g.parts + part]"
                    lines(f"{total} = {operation}::of({total}, {part});")
            for value in self.walks[0].reductions:
                super()._finish(value)
            self._declare_rows(self.waiting)
            self._write_rows()

    def _begin(self) -> None:
        super()._begin()
        for place, value in enumerate(self.walks[0].reductions):
            kind = accumulator(value)
            skipped = f" + {PART_BYTES * place}ULL * rows * g.parts" if place else ""
            self.lines(f"{kind} *{self._parts(value)} = ({kind} *)(workspace{skipped});")

    def _columns(self) -> str:
        start, step = f"part * {self.form.threads} + lane", f"g.parts * {self.form.threads}"
        return f"for (Index chunk = {start}; chunk < chunks; chunk += {step})"

    def _finish(self, value: Scalar) -> None:
        operation, place = value.op.capitalize(), f"{self._parts(value)}[item]"
        name = f"part_{self._sum(value)}"
        self.lines(f"const auto {name} = across_row<{operation}>({self._sum(value)});")
        self.lines(f"if (lane == 0) {place} = {name};")

    def _parts(self, value: Scalar) -> str:
        return f"parts{self.names.number(value)}"
