"""CUDA C++ text of kernels, for any machine: neither GPU nor driver is needed to print it.

expressions constants, operations and casts
text        lines, and where a kernel's tensors lie
loops       the statements of a schedule
helpers     functions that printed kernels use
functions   the whole text: `print_cuda`

Which loops there are, and how they are laid out over threads, is decided by
`minits.kernels.schedule`.
"""

from minits.kernels.cuda.cuda_printer.functions import functions_of, print_cuda
from minits.kernels.cuda.cuda_printer.loops import PART_BYTES, workspace_bytes
from minits.kernels.cuda.cuda_printer.text import geometry_fields, geometry_numbers, table_fields
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
