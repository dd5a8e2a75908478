"""The arguments of a kernel's functions: how the text declares them, and the numbers of a launch.

    struct Geometry { Index size0, size1, in0_0, out0_0; };
    __global__ void NAME(const float *in0, ..., float *out0, ..., const Geometry g, double p0, ...)

Sizes are handed over, and those strides that may vary; other strides stand in the text. What the
parts of rows leave, and what is scanned, is in a workspace.
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.ir.printing import PARAMETERS, STORED
from minits.kernels.schedule.cuda import BLOCK, Form, chunk_of

PART_BYTES = 16
"""Of the workspace, for each reduction and part: no accumulator is larger."""


def functions_of(name: str, form: Form) -> list[str]:
    """Return the names of the functions of a text, in the order in which they are to run."""
    return [name, f"{name}_combined"] if form.splits else [name]


def signature(kernel: Kernel, layout: Layout, form: Form, name: str) -> str:
    """Return the head of a function: its name and its parameters."""
    inputs, outputs = enumerate(kernel.inputs), enumerate(kernel.outputs)
    arguments = [
        *[f"const {STORED[each.dtype]} *__restrict__ in{i}" for i, each in inputs],
        *[f"{STORED[each.value.dtype]} *__restrict__ out{i}" for i, each in outputs],
        *(["char *__restrict__ workspace"] if form.splits or kernel.scans else []),
        "const Geometry g",
        *[f"const {PARAMETERS[dtype]} p{i}" for i, dtype in enumerate(kernel.parameters)],
    ]
    threads = form.block if layout.inner else BLOCK
    joined = ",\n    ".join(arguments)
    return f'extern "C" __global__ void __launch_bounds__({threads}) {name}(\n    {joined})'


def geometry_struct(kernel: Kernel, layout: Layout, form: Form) -> str:
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


def tensors_of(layout: Layout) -> list[tuple[str, tuple[Stride, ...]]]:
    """Return the name and the strides of each tensor: `in0`, ..., `out0`, ..."""
    inputs = [(f"in{index}", strides) for index, strides in enumerate(layout.inputs)]
    return inputs + [(f"out{index}", strides) for index, strides in enumerate(layout.outputs)]


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
