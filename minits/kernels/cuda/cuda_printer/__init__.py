"""CUDA C++ text of kernels, for any machine: neither GPU nor driver is needed to print it.

How a loop is written:

expressions constants, operations and casts
addressing  lines, and the addresses of a kernel's tensors
loops       the statements of a schedule

What stands around it:

functions   the whole text: `print_cuda`; what a function takes, sizes and strides among it
helpers     functions that printed kernels use

Which loops there are, and how they are laid out over threads, is decided by
`minits.kernels.schedule`.
"""

from minits.kernels.cuda.cuda_printer.functions import (
    functions_of,
    geometry_fields,
    geometry_numbers,
    print_cuda,
    table_fields,
)
from minits.kernels.cuda.cuda_printer.loops import PART_BYTES, workspace_bytes
from minits.kernels.schedule.cuda import BLOCK, Form, chunk_of, form_for, parts_of

__all__ = [
    "BLOCK",
    "PART_BYTES",
    "Form",
    "chunk_of",
    "form_for",
    "functions_of",
    "geometry_fields",
    "geometry_numbers",
    "parts_of",
    "print_cuda",
    "table_fields",
    "workspace_bytes",
]
