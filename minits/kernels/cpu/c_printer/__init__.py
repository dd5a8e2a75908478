"""Kernels as C: `print_c(kernel, layout, name)` gives the text of one function.

expressions constants, operations and casts
loops       the statements of a schedule, and the loops of kernels that reduce nothing
tiles       the loops over tiles of rows
neighbours  the loops over neighbouring rows, which are computed side by side
rare        the choice between the loops for usual operands and those for all
column_sums sums over the rows of what is written, for gradients of biases and weights
parameters  what the functions of a kernel take
functions   the whole text: `complete(print_function(...))`

Which loops there are is decided by `minits.kernels.schedule`.
"""

from minits.kernels.cpu.c_printer.functions import complete, print_c, print_function

__all__ = ["complete", "print_c", "print_function"]
