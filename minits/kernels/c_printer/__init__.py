"""Kernels as C: `print_c(kernel, layout, name)` gives the text of one function.

texts       constants, operations and casts as C expressions
walks       which walk over a row computes what, and what is kept in between
loops       the loops of a kernel, from a template
printer     the whole text
"""

from minits.kernels.c_printer.printer import print_c

__all__ = ["print_c"]
