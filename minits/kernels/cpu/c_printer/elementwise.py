"""The loops of kernels that reduce nothing."""

from __future__ import annotations

from collections.abc import Sequence

from minits.kernels.cpu.c_printer.loops import Loops
from minits.kernels.cpu.c_printer.side_by_side import SideBySide
from minits.kernels.ir.kernel import Scalar
from minits.kernels.ir.layout import Stride

STRETCH = 8192
"""Elements of a task, where the last dimension is longer."""


class Elementwise(Loops):
    """Kernels that reduce nothing."""

    def tasks(self) -> str:
        """How many there are: rows of the last dimension times stretches of a row."""
        last = self.layout.rank - 1
        sizes = [self.size(dim) for dim in range(last)]
        return " * ".join([*sizes, f"(({self.size(last)} + {STRETCH - 1}) / {STRETCH})"])

    def text(self) -> str:
        last = self.layout.rank - 1
        self.declare_sizes()
        self.declare_uniform()
        self.add("if (begin >= end) return 0;")
        self.add(f"const long long stretches = (n{last} + {STRETCH - 1}) / {STRETCH};")
        self.add("long long stretch = begin % stretches;")
        self.first_index(last, "(begin / stretches)")
        self.open("for (long long task = begin; task < end; ++task)")
        self.add(f"const long long first = stretch * {STRETCH};")
        self.add(f"const long long rest_of_row = n{last} - first;")
        self.add(
            f"const long long past = first + (rest_of_row < {STRETCH} ? rest_of_row : {STRETCH});"
        )
        self.declare_rows(last)
        varying = [v for v in self.kernel.values if not self.is_uniform(v)]
        still = self._standing_still(varying)
        for value in still:
            self.value(value)
        self.pragma_simd()
        self.open("for (long long i = first; i < past; ++i)")
        for value in varying:
            if value not in still:
                self.value(value, "i")
        for number, output in enumerate(self.kernel.outputs):
            self.store(number, "i", self.names[output.value])
        self.close()
        self.open("if (++stretch == stretches)")
        self.add("stretch = 0;")
        self.next_index(last)
        self.close()
        self.close()
        self.end()
        return "\n".join(self.lines) + "\n"

    def _standing_still(self, values: Sequence[Scalar]) -> list[Scalar]:
        """Return the values that are the same along the last dimension."""
        last, places = self.layout.rank - 1, dict(self.layout.positions)
        found: dict[Scalar, None] = {}
        for value in values:
            is_still = all(each in found or self.is_uniform(each) for each in value.operands)
            if value.is_read:
                is_still = is_still and self.layout.inputs[value.payload][-1] is Stride.ZERO
            if value.op == "position":
                is_still = places[value.payload] != last
            if is_still:
                found[value] = None
        return list(found)


class ShortElementwise(SideBySide, Elementwise):
    """As `Elementwise`, for `has_short_rows`."""

    def tasks(self) -> str:
        return " * ".join([self.size(dim) for dim in range(self.layout.rank - 1)])

    def text(self) -> str:
        last = self.layout.rank - 1
        self.declare_sizes()
        self.declare_uniform()
        self.add("if (begin >= end) return 0;")
        self.open_tasks()
        self.open(f"for (long long i = 0; i < n{last}; ++i)")
        self.open_rows()
        for value in self.kernel.values:
            if not self.is_uniform(value):
                self.value(value, "i")
        for number, output in enumerate(self.kernel.outputs):
            self.store(number, "i", self.names[output.value])
        self.close()
        self.close()
        self.close_tasks()
        self.end()
        return "\n".join(self.lines) + "\n"
