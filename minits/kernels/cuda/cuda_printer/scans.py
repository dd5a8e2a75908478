"""Scans of rows, by the 32 threads of a warp.

What is scanned is written to a workspace in memory, a row behind the other, scanned there at the
end of the walk over the row, and read by later walks.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch

from minits.kernels.cuda.cuda_printer.expressions import commented, rounded
from minits.kernels.cuda.cuda_printer.text import Lines, flat_index
from minits.kernels.ir.kernel import Direction, Kernel, Scalar
from minits.kernels.ir.layout import Layout
from minits.kernels.ir.printing import Names
from minits.kernels.scalar_ops.row import C_TYPES, computed_in

_SCAN_ROW = """\
// Scan a row in memory, 32 elements at a time; the threads of the warp see what the others wrote.
template <typename Op, typename Wide, typename T>
__device__ inline void scan_row(T *row, Index count, bool is_backward)
{
    const unsigned lane = threadIdx.x % 32;
    Wide carry = Wide();
    __syncwarp();
    for (Index first = 0; first < count; first += 32) {
        const Index place = first + lane, at = is_backward ? count - 1 - place : place;
        Wide value = place < count ? Wide(row[at]) : carry;
#pragma unroll
        for (unsigned offset = 1; offset < 32; offset *= 2) {
            const Wide before = __shfl_up_sync(0xffffffffu, value, offset);
            if (lane >= offset) value = Op::of(before, value);
        }
        if (first > 0) value = Op::of(carry, value);
        if (place < count) row[at] = T(value);
        carry = __shfl_sync(0xffffffffu, value, 31);
    }
    __syncwarp();
}
"""
_OF = {
    "cumsum": "return a + b;",
    "cumprod": "return a * b;",
    "cummax": "return a > b || (a != a && b == b) ? a : b; /* a NaN stays */",
    "cummin": "return a < b || (a != a && b == b) ? a : b; /* a NaN stays */",
    "logcumsumexp": ("return a == b && isinf(a) ? a : (a > b ? a : b) + log1p(exp(-fabs(a - b)));"),
}


def scanning(scans: Iterable[str]) -> list[str]:
    """Return what a text with these scans needs."""
    given = sorted(set(scans))
    texts = [
        f"struct {name.capitalize()}\n{{\n    template <typename T>\n"
        f"    __device__ static T of(T a, T b) {{ {_OF[name]} }}\n}};\n"
        for name in given
    ]
    return [*texts, _SCAN_ROW] if texts else []


def workspace_bytes(kernel: Kernel) -> int:
    """Return how many bytes of workspace the scans need for each index of the domain."""
    return sum(_bytes(value) for value in kernel.scans)


class ScanPrinter:
    """Writes what a kernel that walks over rows does for its scans."""

    def __init__(self, lines: Lines, kernel: Kernel, layout: Layout, names: Names) -> None:
        self.lines = lines
        self.scans = sorted(kernel.scans, key=_bytes, reverse=True)
        self.names = names
        self.place = flat_index(layout)
        self.count = f"g.size{layout.rank - 1}"

    def declare(self) -> None:
        """Find the places of the rows in the workspace: behind those of larger elements."""
        before = 0
        for value in self.scans:
            kind = C_TYPES[value.dtype]
            start = f"workspace + {before}ULL * rows * {self.count}" if before else "workspace"
            row = f"(unsigned long long)row * {self.count}"
            self.lines(f"{kind} *{self._row(value)} = ({kind} *)({start}) + {row};")
            before += _bytes(value)

    def read(self, values: Iterable[Scalar]) -> None:
        """Read element `k` of scans that were made by earlier walks."""
        for value in values:
            kind = C_TYPES[value.dtype]
            text = f"k < filled ? {self._row(value)}[{self.place}] : ({kind})0"
            text = rounded(text, value.dtype)
            self.lines(commented(f"const {kind} {self.names[value]} = {text};", value))

    def write(self, values: Iterable[Scalar]) -> None:
        """Write element `k` of what is scanned."""
        for value in values:
            operand = self.names[value.operands[0]]
            self.lines(f"if (k < filled) {self._row(value)}[{self.place}] = {operand};")

    def scan(self, values: Iterable[Scalar]) -> None:
        for value in values:
            types = f"{value.op.capitalize()}, {_accumulator(value)}"
            back = "true" if value.payload is Direction.BACKWARD else "false"
            line = f"scan_row<{types}>({self._row(value)}, {self.count}, {back});"
            self.lines(commented(line, value))

    def _row(self, value: Scalar) -> str:
        return f"scan{self.names.number(value)}"


def _bytes(value: Scalar) -> int:
    size: int = computed_in(value.dtype).itemsize
    return size


def _accumulator(value: Scalar) -> str:
    is_chosen = value.op in ("cummax", "cummin")
    is_wide = value.dtype == torch.float32 and not is_chosen
    return "double" if is_wide else C_TYPES[value.dtype]
