"""CUDA C++ text of kernels, for any machine: neither GPU nor driver is needed to print it."""

from minits.kernels.cuda.cuda_printer.form import BLOCK, Form, chunk_of, form_for, parts_of
from minits.kernels.cuda.cuda_printer.printer import functions_of, print_cuda
from minits.kernels.cuda.cuda_printer.scans import workspace_bytes
from minits.kernels.cuda.cuda_printer.split import PART_BYTES
from minits.kernels.cuda.cuda_printer.text import geometry_fields, geometry_numbers, table_fields

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
