"""Loops over rows that are computed side by side, each in a place of its own in vectors."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from minits.kernels.cpu.c_printer.loops import Loops
from minits.kernels.ir.layout import Layout, Stride

VECTOR = 16
"""Floats in a vector of 512 bits."""
LONGEST = 64
"""Elements of a row that is walked over together with others."""
FEWEST = 16
"""Rows side by side that are worth it."""
ROWS = 64
"""Rows that are computed at once."""


def may_have_short_rows(layout: Layout) -> bool:
    """Whether rows may be short ones, for some sizes."""
    return layout.outer > (0 if layout.inner else 1)


def has_short_rows(layout: Layout, sizes: Sequence[int]) -> bool:
    """Whether rows of these sizes are better printed as short ones.

    Vectors do not fit into such rows, or leave a rest that is as costly as all vectors together.
    Rows of kernels that reduce nothing are those of the last dimension.
    """
    outer = layout.outer if layout.inner else layout.outer - 1
    if not outer or sizes[outer - 1] < FEWEST:
        return False
    count = prod(sizes[outer:])
    if not layout.inner:
        return count < VECTOR
    return count < 2 * VECTOR or (count <= LONGEST and count % VECTOR != 0)


class SideBySide(Loops):
    """`dim` is the dimension, before those of a row, along which rows are taken together."""

    @property
    def dim(self) -> int:
        return (self.layout.outer if self.layout.inner else self.layout.outer - 1) - 1

    def offset(self, tensor: int, place: str | None) -> str:
        _, strides, _ = self.tensors[tensor]
        text = super().offset(tensor, place)
        if strides[self.dim] is Stride.ZERO:
            return text
        along = f"r * {self.stride(tensor, self.dim)}"
        return along if text == "0" else f"{along} + {text}"

    def position(self, dim: int) -> str:
        if dim > self.dim:
            return super().position(dim)
        return f"i{dim} + r" if dim == self.dim else f"i{dim}"

    def open_tasks(self) -> None:
        """Begin the loop over the rows of a thread, `rows` of them at once."""
        dim = self.dim
        self.first_index(dim + 1, "begin")
        self.open("for (long long task = begin; task < end;)")
        self.add(f"const long long side_by_side = n{dim} - i{dim};")
        self.add("const long long left = end - task < side_by_side ? end - task : side_by_side;")
        self.add(f"const int rows = left < {ROWS} ? left : {ROWS};")
        self.declare_rows(dim + 1)

    def close_tasks(self) -> None:
        dim = self.dim
        self.add("task += rows;")
        self.add(f"i{dim} += rows;")
        self.open(f"if (i{dim} == n{dim})")
        self.add(f"i{dim} = 0;")
        self.next_index(dim)
        self.close()
        self.close()

    def open_rows(self) -> None:
        self.pragma_simd()
        self.open("for (int r = 0; r < rows; ++r)")
