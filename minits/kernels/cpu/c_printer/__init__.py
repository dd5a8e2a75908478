"""Kernels as C: `print_c(kernel, layout, name)` gives the text of one function.

texts       constants, operations and casts as C expressions
walks       which walk over a row computes what, and what is kept in between
places      argmax and argmin as two walks
rare        operands for which loops of vectors have no room
loops       what the loops of all kinds of kernels have in common
elementwise the loops of kernels that reduce nothing
rows        the loops of kernels with reductions
side_by_side loops over rows that are computed side by side
column_sums sums over the rows of what is written, for gradients of biases and weights
short_rows  the same for rows of a few elements, many rows at once
parameters  what the functions of a kernel take
printer     the whole text: `complete(print_function(...))`
"""

from minits.kernels.cpu.c_printer.column_sums import column_count
from minits.kernels.cpu.c_printer.printer import complete, print_c, print_function
from minits.kernels.cpu.c_printer.side_by_side import has_short_rows, may_have_short_rows

__all__ = [
    "column_count", "complete", "has_short_rows", "may_have_short_rows", "print_c", "print_function"
]  # fmt: skip
