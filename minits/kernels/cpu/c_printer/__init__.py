"""Kernels as C: `print_c(kernel, layout, name)` gives the text of one function.

How a loop is written:

expressions constants, operations and casts
addressing  the parameters of functions, and the addresses of a kernel's tensors
loops       the statements of a schedule; the loops of kernels that reduce nothing
tiles       the loops over tiles of rows
neighbours  the loops over neighbouring rows, which are computed side by side

What stands around it:

functions   the whole text: `complete(print_function(...))`
column_sums sums over the rows of what is written, for gradients of biases and weights

Which loops there are is decided by `minits.kernels.schedule`.
"""

from minits.kernels.cpu.c_printer.functions import complete, print_c, print_function

__all__ = ["complete", "print_c", "print_function"]
