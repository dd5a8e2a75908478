"""CUDA C++ text of kernels, for any machine: neither GPU nor driver is needed to print it."""

from minits.kernels.cuda_printer.form import BLOCK, Form, chunk_of, form_for
from minits.kernels.cuda_printer.printer import print_cuda
from minits.kernels.cuda_printer.text import geometry_fields, geometry_numbers

__all__ = [
    "BLOCK",
    "Form",
    "chunk_of",
    "form_for",
    "geometry_fields",
    "geometry_numbers",
    "print_cuda",
]
