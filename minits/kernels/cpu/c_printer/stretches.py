"""Stretches of rows, in C: the loops of kernels that reduce nothing.

for (long long task = begin; task < end; ++task) {
    const long long first = stretch * 8192;
    const long long past = ...;
    const float *restrict row_in0 = in0 + i0 * g[2];
    #pragma omp simd
    for (long long i = first; i < past; ++i) { ... }
    if (++stretch == stretches) { stretch = 0; ++i0; }
}
"""

from __future__ import annotations

from minits.kernels.cpu.c_printer.loops import Loops
from minits.kernels.schedule.loops import For


class Stretches(Loops):
    """Writes loops of which each task is a stretch of a row."""

    def tasks(self, loop: For) -> None:
        """Write the loop over stretches of rows, of `step` elements each.

        A task is counted as if all stretches of all rows stood behind each other.
        """
        last, step = self.layout.rank - 1, loop.step
        self.add(f"const long long stretches = (n{last} + {step - 1}) / {step};")
        self.add("long long stretch = begin % stretches;")
        self.first_index(last, "(begin / stretches)")
        with self.block("for (long long task = begin; task < end; ++task)"):
            self.add(f"const long long first = stretch * {step};")
            self.add(f"const long long rest_of_row = n{last} - first;")
            self.add(
                f"const long long past = first + (rest_of_row < {step} ? rest_of_row : {step});"
            )
            self.declare_rows(last)
            self.columns = ("first", "past")
            self.statements(loop.body)
            with self.block("if (++stretch == stretches)"):
                self.add("stretch = 0;")
                self.next_index(last)
