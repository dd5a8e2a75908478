"""The loops of kernels with reductions, for rows of a few elements.

Many rows are walked over at once: the innermost loops are over rows, and what is known of rows is
in arrays.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from minits.kernels.cpu.c_printer.reductions import (
    COMBINE,
    extreme,
    is_float_sum,
    start_of,
    sum_type,
)
from minits.kernels.cpu.c_printer.rows import Rows
from minits.kernels.cpu.c_printer.side_by_side import LONGEST, ROWS, SideBySide
from minits.kernels.cpu.c_printer.texts import comment, rounded
from minits.kernels.cpu.c_printer.walks import Walk
from minits.kernels.ir.kernel import Kernel, Level, Scalar
from minits.kernels.scalar_ops.row import C_TYPES, kind_of

_SCAN_STARTS = {"cumsum": "0", "cumprod": "1", "logcumsumexp": "-__builtin_inf()"}
_SCANNED = {
    "cumsum": "{0} + {1}",
    "cumprod": "{0} * {1}",
    "cummax": "{1} >= {0} || {1} != {1} ? {1} : {0}",
    "cummin": "{1} <= {0} || {1} != {1} ? {1} : {0}",
    "logcumsumexp": "mts_logaddexp_f64({0}, {1})",
}
"""What a scan is after one more element, made of what it was before, and that."""

BLOCK = 8
"""Elements that are summed before the sum is added to that of the row."""


class ShortRows(SideBySide, Rows):
    """As `Rows`, for `has_short_rows`."""

    def prepared(self, kernel: Kernel) -> Kernel:
        return kernel

    def text(self) -> str:
        self.declare_sizes()
        self.declare_count()
        self.declare_uniform()
        self.add("if (begin >= end) return 0;")
        self._declare_arrays()
        self.open_tasks()
        known = {v for v in self.kernel.values if self.is_uniform(v)}
        self._finish_rows([], known)
        for number, walk in enumerate(self.walks):
            self.add("")
            self.add(f"// Walk {number} over the rows.")
            self._walk(walk)
            for value in walk.scans:
                self._scan(value)
            self._finish_rows(walk.reductions, known)
        self._store_rows()
        self.close_tasks()
        self.end()
        return "\n".join(self.lines) + "\n"

    # ---- What is known of rows -------------------------------------------------------------------

    def _declare_arrays(self) -> None:
        for value in self.kept:
            self.add(f"{C_TYPES[value.dtype]} kept_{self.names[value]}[{LONGEST * ROWS}];")
        for value in self.kernel.values:
            name = self.names[value]
            if value.level is Level.ROW and not self.is_uniform(value):
                self.add(f"{C_TYPES[value.dtype]} row_{name}[{ROWS}];")
            if value.is_reduction:
                self.add(f"{self._sum_type(value)} sum_{name}[{ROWS}];")
            if is_float_sum(value):
                self.add(f"{self._sum_type(value)} block_{name}[{ROWS}];")
            if value.is_scan:
                self.add(f"{_scan_type(value)} scan_{name}[{ROWS}];")
            if value.op in ("argmax", "argmin"):
                self.add(f"{C_TYPES[value.operands[0].dtype]} best_{name}[{ROWS}];")

    def _read_rows(self, values: Sequence[Scalar], made: Sequence[Scalar] = ()) -> None:
        """Read what is known of a row and needed for `values`, but these and what is `made`."""
        needed = {operand for value in values for operand in value.operands}
        needed -= {*values, *made}
        for value in self.kernel.values:
            if value in needed and value.level is Level.ROW and not self.is_uniform(value):
                name = self.names[value]
                self.add(f"const {C_TYPES[value.dtype]} {name} = row_{name}[r];")

    def _finish_rows(self, reductions: Sequence[Scalar], known: set[Scalar]) -> None:
        """Work out what is known of each row once these reductions are done."""
        known.update(reductions)
        new: list[Scalar] = []
        for value in self.kernel.values:
            is_row = value.level is Level.ROW and not value.is_reduction
            if is_row and value not in known and known.issuperset(value.operands):
                new.append(value)
                known.add(value)
        made = [*reductions, *new]
        if not made:
            return
        self.open_rows()
        self._read_rows(new, reductions)
        for value in reductions:
            text = f"sum_{self.names[value]}[r]"
            if value.op in ("sum", "prod"):
                text = rounded(f"({C_TYPES[value.dtype]}){text}", value.dtype)
            type = C_TYPES[value.dtype]
            self.add(f"const {type} {self.names[value]} = {text};{comment(value)}")
        for value in new:
            self.value(value)
        for value in made:
            self.add(f"row_{self.names[value]}[r] = {self.names[value]};")
        self.close()

    def _store_rows(self) -> None:
        outputs = [
            number
            for number, output in enumerate(self.kernel.outputs)
            if output.value.level is Level.ROW
        ]
        if not outputs:
            return
        self.add("")
        self.open_rows()
        for number in outputs:
            value = self.kernel.outputs[number].value
            name = self.names[value]
            self.store(number, None, name if self.is_uniform(value) else f"row_{name}[r]")
        self.close()

    # ---- Walks -----------------------------------------------------------------------------------

    def _walk(self, walk: Walk) -> None:
        last = self.layout.rank - 1
        if walk.reductions:
            self.open_rows()
            for value in walk.reductions:
                self._start(value)
            self.close()
        for dim in range(self.layout.outer, last):
            self.open(f"for (long long i{dim} = 0; i{dim} < n{dim}; ++i{dim})")
        self._inner_pointers(walk)
        self.open(f"for (long long i = 0; i < n{last}; ++i)")
        self.open_rows()
        self._read_rows([*walk.values, *walk.reductions, *walk.scans])
        self._body(walk)
        self.close()
        self._add_blocks([value for value in walk.reductions if is_float_sum(value)])
        self.close()
        for _ in range(self.layout.outer, last):
            self.close()

    def _add_blocks(self, values: Sequence[Scalar]) -> None:
        if not values:
            return
        last = self.layout.rank - 1
        self.open(f"if (i % {BLOCK} == {BLOCK - 1} || i == n{last} - 1)")
        self.open_rows()
        for value in values:
            name = self.names[value]
            self.add(f"sum_{name}[r] += block_{name}[r];{comment(value)}")
            self.add(f"block_{name}[r] = 0;")
        self.close()
        self.close()

    def _scan(self, value: Scalar) -> None:
        """Scan the buffer of a value: of all rows one element, then the next one."""
        name, last = self.names[value], self.layout.rank - 1
        here, step = f"kept_{name}[i * {ROWS} + r]", int(value.payload)
        first = "0" if step > 0 else f"n{last} - 1"
        self.open_rows()
        start = _SCAN_STARTS.get(value.op, f"kept_{name}[({first}) * {ROWS} + r]")
        self.add(f"scan_{name}[r] = {start};")
        self.close()
        end = f"i < n{last}" if step > 0 else "i >= 0"
        self.open(f"for (long long i = {first}; {end}; i += {step})")
        self.open_rows()
        text = _SCANNED[value.op].format(f"scan_{name}[r]", here)
        self.add(f"{here} = scan_{name}[r] = {text};{comment(value)}")
        self.close()
        self.close()

    def _kept_place(self) -> str:
        return f"({self._index()}) * {ROWS} + r"

    def _sum_type(self, value: Scalar) -> str:
        if value.op in ("max", "min"):
            return C_TYPES[value.dtype]
        if value.op in ("any", "all"):
            return "int"
        return C_TYPES[value.dtype] if is_float_sum(value) else sum_type(value)

    def _start(self, value: Scalar) -> None:
        name = self.names[value]
        if value.op in ("argmax", "argmin"):
            self.add(f"best_{name}[r] = {extreme(value)};")
        self.add(f"sum_{name}[r] = {start_of(value)};")
        if is_float_sum(value):
            self.add(f"block_{name}[r] = 0;")

    def _accumulate(self, value: Scalar) -> None:
        name, operand, note = self.names[value], self.names[value.operands[0]], comment(value)
        if value.op not in ("max", "min", "argmax", "argmin"):
            into = "block" if is_float_sum(value) else "sum"
            self.add(f"{into}_{name}[r] {COMBINE[value.op]}= {operand};{note}")
            return
        best = f"best_{name}" if value.op.startswith("arg") else f"sum_{name}"
        better = f"{operand} {'>' if value.op.endswith('max') else '<'} {best}[r]"
        if kind_of(value.operands[0].dtype) == "f":
            better = f"({better}) | ({operand} != {operand}) & ({best}[r] == {best}[r])"
        self.add(f"const int better_{name} = {better};")
        self.add(f"{best}[r] = better_{name} ? {operand} : {best}[r];{note}")
        if value.op.startswith("arg"):
            self.add(f"sum_{name}[r] = better_{name} ? {self._index()} : sum_{name}[r];")


def _scan_type(value: Scalar) -> str:
    """The type in which a scan is accumulated."""
    is_wide = value.dtype == torch.float32 or value.op == "logcumsumexp"
    return "double" if is_wide else C_TYPES[value.dtype]
