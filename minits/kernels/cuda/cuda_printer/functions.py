"""A kernel as CUDA C++ text."""

from __future__ import annotations

import re

from minits.kernels.cuda.checks import MUST, asserted
from minits.kernels.cuda.cuda_math import cuda_prelude
from minits.kernels.cuda.cuda_printer.expressions import literal
from minits.kernels.cuda.cuda_printer.helpers import CHUNKS, conversions, scanning, sharing
from minits.kernels.cuda.cuda_printer.loops import LoopPrinter
from minits.kernels.cuda.cuda_printer.parameters import definitions, signature
from minits.kernels.cuda.cuda_printer.places import Lines
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout
from minits.kernels.ir.printing import Names
from minits.kernels.schedule.cuda import Form, schedule_for_cuda

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
    names = Names(kernel.values, literal)
    body = Lines()
    schedule = schedule_for_cuda(kernel, layout, form)
    for function, loop in zip(functions_of(name, form), schedule.loops, strict=True):
        with body.block(signature(kernel, function, form, layout)):
            LoopPrinter(body, schedule, form, names).print(loop)
    reductions = [value.op for value in kernel.values if value.is_reduction]
    parts = [
        definitions(kernel, layout, form),
        *conversions([value.dtype for value in kernel.values]),
        _prelude(str(body)),
        *([MUST] if any(map(asserted, kernel.values)) else []),
        CHUNKS,
        *sharing(reductions, form.threads),
        *scanning(value.op for value in kernel.scans),
        str(body),
    ]
    return "\n".join([part for part in parts if part])


def functions_of(name: str, form: Form) -> list[str]:
    """Return the names of the functions of a text, in the order in which they are to run."""
    return [name, f"{name}_combined"] if form.splits else [name]


def _prelude(body: str) -> str:
    """Return the definitions of the mathematical functions that a body calls."""
    names = sorted(set(_FUNCTION.findall(body)))
    return cuda_prelude(names) if names else ""
