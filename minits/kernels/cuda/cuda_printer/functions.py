"""A kernel as CUDA C++ text: its functions, their parameters, and the numbers handed over.

    struct Geometry { Index size0, size1, in0_0, out0_0; };
    __global__ void NAME(const float *in0, ..., float *out0, ..., const Geometry g, double p0, ...)

Sizes are handed over, and those strides that may vary; other strides stand in the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from minits.kernels.cuda.checks import MUST, asserted
from minits.kernels.cuda.cuda_math import cuda_prelude
from minits.kernels.cuda.cuda_printer.addressing import Lines, tensors_of
from minits.kernels.cuda.cuda_printer.expressions import literal
from minits.kernels.cuda.cuda_printer.helpers import CHUNKS, conversions, scanning, sharing
from minits.kernels.cuda.cuda_printer.loops import LoopPrinter
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.ir.printing import PARAMETERS, STORED, Names
from minits.kernels.schedule.cuda import BLOCK, Form, chunk_of, schedule_for_cuda

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
        with body.block(_signature(kernel, function, form, layout)):
            LoopPrinter(body, schedule, form, names).print(loop)
    reductions = [value.op for value in kernel.values if value.is_reduction]
    parts = [
        _definitions(kernel, layout, form),
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


# ---- Parameters ----------------------------------------------------------------------------------


def _definitions(kernel: Kernel, layout: Layout, form: Form) -> str:
    """Return the definitions of the struct of sizes and strides, and of what counts in it."""
    names = [*geometry_fields(layout), *table_fields(kernel)]
    fields = ", ".join(names + (["parts"] if form.splits else []))
    index = "unsigned long long" if form.wide else "unsigned"
    return (
        f"#define CHUNK {chunk_of(kernel, layout)}  // neighbouring elements that a thread takes\n"
        f"typedef {index} Index;\n\n"
        f"// Sizes of the dimensions, and strides in elements.\n"
        f"struct Geometry {{ Index {fields}; }};\n"
    )


def _signature(kernel: Kernel, name: str, form: Form, layout: Layout) -> str:
    """Return the head of a function: its name and its parameters."""
    arguments = [
        f"const {STORED[given.dtype]} *__restrict__ in{index}"
        for index, given in enumerate(kernel.inputs)
    ]
    arguments += [
        f"{STORED[output.value.dtype]} *__restrict__ out{index}"
        for index, output in enumerate(kernel.outputs)
    ]
    arguments += ["char *__restrict__ workspace"] if form.splits or kernel.scans else []
    arguments.append("const Geometry g")
    arguments += [
        f"const {PARAMETERS[dtype]} p{index}" for index, dtype in enumerate(kernel.parameters)
    ]
    threads = form.block if layout.inner else BLOCK
    joined = ",\n    ".join(arguments)
    return f'extern "C" __global__ void __launch_bounds__({threads}) {name}(\n    {joined})'


def geometry_fields(layout: Layout) -> list[str]:
    """Return the names of the numbers of a launch: sizes, and those strides that may vary."""
    fields = [f"size{dim}" for dim in range(layout.rank)]
    for name, strides in tensors_of(layout):
        fields += [f"{name}_{dim}" for dim, s in enumerate(strides) if s is Stride.ANY]
    return fields


def geometry_numbers(
    layout: Layout, sizes: Sequence[int], strides: Sequence[Sequence[int]]
) -> list[int]:
    """Return the values of `geometry_fields`. `strides`: of the inputs, then of the outputs."""
    numbers = list(sizes)
    for (_, kinds), steps in zip(tensors_of(layout), strides, strict=True):
        numbers += [step for kind, step in zip(kinds, steps, strict=True) if kind is Stride.ANY]
    return numbers


def table_fields(kernel: Kernel) -> list[str]:
    """Return the names of the sizes, then the strides of what is looked up, input by input."""
    return [
        f"in{index}_{what}{dim}"
        for index, given in enumerate(kernel.inputs)
        for what in ("length", "step")
        for dim in range(given.looked_up)
    ]
