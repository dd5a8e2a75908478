"""The parameters of a kernel's functions in C, and what one hands over to the other.

What is called from outside takes `void *` and the beginning of each tensor; what does the work
takes typed pointers to where each input's view begins.
"""

from __future__ import annotations

from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout
from minits.kernels.ir.printing import PARAMETERS, STORED


def untyped(kernel: Kernel, *rest: str) -> str:
    """Return the parameters of the function that is called from outside, then `rest`."""
    inputs = [f"const void *in{i}" for i in range(len(kernel.inputs))]
    outputs = [f"void *out{i}" for i in range(len(kernel.outputs))]
    return ", ".join([*inputs, *outputs, "const long long *g", *_numbers(kernel), *rest])


def typed(kernel: Kernel, *rest: str) -> str:
    """Return the parameters of the functions that do the work, then `rest`."""
    inputs = [f"const {STORED[x.dtype]} *restrict in{i}" for i, x in enumerate(kernel.inputs)]
    outputs = [
        f"{STORED[output.value.dtype]} *restrict out{i}" for i, output in enumerate(kernel.outputs)
    ]
    return ", ".join([*inputs, *outputs, "const long long *restrict g", *_numbers(kernel), *rest])


def views(kernel: Kernel, layout: Layout) -> list[str]:
    """Return the addresses at which the inputs' views begin, as expressions of the parameters."""
    first = layout.rank * (1 + len(kernel.inputs) + len(kernel.outputs))
    return [
        f"(const {STORED[x.dtype]} *)in{i} + g[{first + i}]" for i, x in enumerate(kernel.inputs)
    ]


def names(kernel: Kernel) -> list[str]:
    """Return the names of the numbers that are parameters."""
    return [f"p{i}" for i in range(len(kernel.parameters))]


def _numbers(kernel: Kernel) -> list[str]:
    return [
        f"{PARAMETERS[dtype]} {name}"
        for dtype, name in zip(kernel.parameters, names(kernel), strict=True)
    ]
