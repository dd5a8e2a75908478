"""Kernels as CUDA C++ text: `print_cuda`; neither GPU nor driver is needed to print it.

expressions begin here: constants, operations, casts and elements of tensors
loops       how each loop of a schedule is written
statements  how each statement in these loops is written
function_body   the lines of a body, and what the files above share

Which loops there are, and how they are laid out over threads, is decided by
`minits.kernels.schedule`. `device_functions` and `cuda_math` have the functions that a text calls,
`arguments` what a launch hands over.
"""

from __future__ import annotations

import re

from minits.kernels.cuda.arguments import functions_of, geometry_struct, signature
from minits.kernels.cuda.checks import MUST, asserted
from minits.kernels.cuda.cuda_math import cuda_prelude
from minits.kernels.cuda.cuda_printer.loops import LoopPrinter
from minits.kernels.cuda.device_functions import conversions, moving, scanning, sharing
from minits.kernels.cuda.quick_functions import quick_functions
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout
from minits.kernels.schedule.cuda import Form, schedule_for_cuda

__all__ = ["print_cuda"]

_FUNCTION = re.compile(r"\bmts_\w+")


def print_cuda(kernel: Kernel, layout: Layout, name: str, form: Form | None = None) -> str:
    """Return the text of one `__global__` function; it includes nothing.

    Its arguments are the inputs' and outputs' addresses (those of the views' first elements), a
    struct of sizes and strides (`geometry_fields`, `table_fields`) by value, and the parameters, as
    double or long long. Any number of blocks of `form.block` threads computes the whole domain.

    Where `form.splits`, there is a second function `name_combined` that is to run after the first.
    Both take the address of a workspace (rows * parts * `PART_BYTES` for each reduction) before the
    struct, and the struct has one more field, the number of `parts` of a row. Kernels with scans
    take one, too (`workspace_bytes` for each index).
    """
    form = form or Form()
    printer = LoopPrinter(schedule_for_cuda(kernel, layout, form), form)
    for function, loop in zip(functions_of(name, form), printer.schedule.loops, strict=True):
        with printer.block(signature(kernel, layout, form, function)):
            printer.function(loop)
    body = str(printer)
    reductions = [value.op for value in kernel.values if value.is_reduction]
    called = sorted(set(_FUNCTION.findall(body)))
    parts = [
        geometry_struct(kernel, layout, form),
        *conversions([value.dtype for value in kernel.values]),
        *([cuda_prelude(called)] if called else []),
        *([MUST] if any(map(asserted, kernel.values)) else []),
        *quick_functions(body),
        moving(form.even),
        *sharing(reductions, form.threads),
        *scanning(value.op for value in kernel.scans),
        body,
    ]
    return "\n".join([part for part in parts if part])
