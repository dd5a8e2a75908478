"""Neighbouring rows of a few elements, in C: the innermost loops are over rows.

    for (long long task = begin; task < end;) {
        const int rows = ...;
        for (long long i = 0; i < n1; ++i) {
            #pragma omp simd
            for (int r = 0; r < rows; ++r) {
                const float v0 = row_in0[r * g[2] + i];
                ...
        }
        task += rows;
    }

What is known of rows, and what is accumulated, is in arrays with an element for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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
from minits.kernels.ir.layout import Stride
from minits.kernels.scalar_ops.row import C_TYPES, kind_of
from minits.kernels.schedule.cpu import is_float_sum
from minits.kernels.schedule.loops import (
    Accumulate,
    AddBlock,
    Buffer,
    EndOfBlock,
    Finish,
    For,
    Over,
    Read,
    Scan,
    Start,
    Statement,
    Store,
    Write,
)
from minits.kernels.schedule.short_rows import LONGEST

_SCAN_STARTS = {"cumsum": "0", "cumprod": "1", "logcumsumexp": "-__builtin_inf()"}
_SCANNED = {
    "cumsum": "{0} + {1}",
    "cumprod": "{0} * {1}",
    "cummax": "{1} >= {0} || {1} != {1} ? {1} : {0}",
    "cummin": "{1} <= {0} || {1} != {1} ? {1} : {0}",
    "logcumsumexp": "mts_logaddexp_f64({0}, {1})",
}
"""C text of a scan's next value: {0} is the value before, {1} the next element."""


class Neighbours(Loops):
    """Writes loops over neighbouring rows: `dim` is the dimension along which they are."""

    swept = "the rows"

    @property
    def dim(self) -> int:
        return self.layout.row_dims - 1

    def tasks(self, loop: For) -> None:
        dim = self.dim
        self._declare_arrays(loop.step)
        self.first_index(dim + 1, "begin")
        with self.block("for (long long task = begin; task < end;)"):
            self.add(f"const long long side_by_side = n{dim} - i{dim};")
            self.add(
                "const long long left = end - task < side_by_side ? end - task : side_by_side;"
            )
            self.add(f"const int rows = left < {loop.step} ? left : {loop.step};")
            self.declare_rows(dim + 1)
            self.statements(loop.body)
            self.add("task += rows;")
            self.add(f"i{dim} += rows;")
            with self.block(f"if (i{dim} == n{dim})"):
                self.add(f"i{dim} = 0;")
                self.next_index(dim)

    def loop(self, loop: For) -> None:
        if loop.over is Over.ROWS:
            with self._rows():
                self.statements(loop.body)
        else:
            super().loop(loop)

    @contextmanager
    def _rows(self) -> Iterator[None]:
        self.pragma_simd()
        with self.block("for (int r = 0; r < rows; ++r)"):
            yield

    # ---- Where things are ----------------------------------------------------------------------

    def offset(self, tensor: int) -> str:
        _, strides, _ = self.tensors[tensor]
        text = super().offset(tensor)
        if strides[self.dim] is Stride.ZERO:
            return text
        along = f"r * {self.stride(tensor, self.dim)}"
        return along if text == "0" else f"{along} + {text}"

    def position(self, dim: int) -> str:
        if dim > self.dim:
            return super().position(dim)
        return f"i{dim} + r" if dim == self.dim else f"i{dim}"

    def _kept(self, value: Scalar) -> str:
        return f"kept_{self.names[value]}[({self.index}) * {self.schedule.loop.step} + r]"

    def _declare_arrays(self, rows: int) -> None:
        for value in self.schedule.written(Buffer.KEPT):
            self.add(f"{C_TYPES[value.dtype]} kept_{self.names[value]}[{LONGEST * rows}];")
        waiting = self.schedule.written(Buffer.ROW)
        for value in self.kernel.values:
            name = self.names[value]
            if value in waiting:
                self.add(f"{C_TYPES[value.dtype]} row_{name}[{rows}];")
            if value.is_reduction:
                self.add(f"{_accumulator(value)} sum_{name}[{rows}];")
            if is_float_sum(value):
                self.add(f"{_accumulator(value)} block_{name}[{rows}];")
            if value.is_scan:
                self.add(f"{_scan_type(value)} scan_{name}[{rows}];")
            if value.op in ("argmax", "argmin"):
                self.add(f"{C_TYPES[value.operands[0].dtype]} best_{name}[{rows}];")

    # ---- Statements ----------------------------------------------------------------------------

    def statement(self, statement: Statement) -> None:
        match statement:
            case Read(value, Buffer.ROW):
                self.declare(value, f"row_{self.names[value]}[r]")
            case Read(value):
                text = self._kept(value)
                # of a scan of halves, it is yet to be rounded
                self.declare(value, rounded(text, value.dtype) if value.is_scan else text)
            case Write(value, Buffer.ROW):
                self.add(f"row_{self.names[value]}[r] = {self.names[value]};")
            case Write(value):
                self.add(f"{self._kept(value)} = {self.names[statement.written]};")
            case Start(value):
                self._start(value)
            case Accumulate(value, of_block):
                self._accumulate(value, of_block)
            case AddBlock(value):
                name = self.names[value]
                self.add(f"sum_{name}[r] += block_{name}[r];{comment(value)}")
                self.add(f"block_{name}[r] = 0;")
            case EndOfBlock(step):
                end = f"i % {step} == {step - 1} || i == n{self.layout.rank - 1} - 1"
                with self.block(f"if ({end})"):
                    self.statements(statement.body)
            case Finish(value):
                text = f"sum_{self.names[value]}[r]"
                if value.op in ("sum", "prod"):
                    text = rounded(f"({C_TYPES[value.dtype]}){text}", value.dtype)
                self.declare(value, text, comment(value))
            case Scan(value):
                self._scan(value)

    def stored_text(self, store: Store) -> str:
        name = super().stored_text(store)
        return f"row_{name}[r]" if store.is_waiting else name

    def _scan(self, value: Scalar) -> None:
        """Scan the buffer of a value: of all rows one element, then the next one."""
        name, last = self.names[value], self.layout.rank - 1
        rows, step = self.schedule.loop.step, int(value.payload)
        here = f"kept_{name}[i * {rows} + r]"
        first = "0" if step > 0 else f"n{last} - 1"
        with self._rows():
            start = _SCAN_STARTS.get(value.op, f"kept_{name}[({first}) * {rows} + r]")
            self.add(f"scan_{name}[r] = {start};")
        end = f"i < n{last}" if step > 0 else "i >= 0"
        with (
            self.block(f"for (long long i = {first}; {end}; i += {step})"),
            self._rows(),
        ):
            text = _SCANNED[value.op].format(f"scan_{name}[r]", here)
            self.add(f"{here} = scan_{name}[r] = {text};{comment(value)}")

    # ---- Reductions ----------------------------------------------------------------------------

    def _start(self, value: Scalar) -> None:
        name = self.names[value]
        if value.op in ("argmax", "argmin"):
            self.add(f"best_{name}[r] = {extreme(value)};")
        self.add(f"sum_{name}[r] = {reduced_nothing(value)};")
        if is_float_sum(value):
            self.add(f"block_{name}[r] = 0;")

    def _accumulate(self, value: Scalar, of_block: bool) -> None:
        name, operand, note = self.names[value], self.names[value.operands[0]], comment(value)
        if value.op not in ("max", "min", "argmax", "argmin"):
            into = "block" if of_block else "sum"
            self.add(f"{into}_{name}[r] {COMBINE[value.op]}= {operand};{note}")
            return
        best = f"best_{name}" if value.op.startswith("arg") else f"sum_{name}"
        better = f"{operand} {'>' if value.op.endswith('max') else '<'} {best}[r]"
        if kind_of(value.operands[0].dtype) == "f":
            better = f"({better}) | ({operand} != {operand}) & ({best}[r] == {best}[r])"
        self.add(f"const int better_{name} = {better};")
        self.add(f"{best}[r] = better_{name} ? {operand} : {best}[r];{note}")
        if value.op.startswith("arg"):
            self.add(f"sum_{name}[r] = better_{name} ? {self.index} : sum_{name}[r];")


def _accumulator(value: Scalar) -> str:
    """Return the type of an accumulator."""
    if value.op in ("any", "all"):
        return "int"
    is_chosen = value.op in ("max", "min") or is_float_sum(value)
    return C_TYPES[value.dtype] if is_chosen else sum_type(value)


def _scan_type(value: Scalar) -> str:
    """Return the type in which a scan is accumulated."""
    is_wide = value.dtype == torch.float32 or value.op == "logcumsumexp"
    return "double" if is_wide else C_TYPES[value.dtype]
