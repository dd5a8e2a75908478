"""The parameters of a kernel's functions in C, and the table of numbers among them.

    int NAME(const void *in0, ..., void *out0, ..., const long long *g, double p0, ..., int threads)

`g` holds the sizes of the merged dimensions, the strides of each tensor along them, the offset of
each input, and sizes and strides of what is looked up in, in elements. Tensors are numbered,
outputs after the inputs.

What is called from outside takes `void *` and the beginning of each tensor; what does the work
takes typed pointers to where each input's view begins.
"""

from __future__ import annotations

from typing import NamedTuple

from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.ir.printing import PARAMETERS, STORED


class Tensor(NamedTuple):
    """A tensor of a kernel: its name, its strides, and the type of its elements."""

    name: str
    strides: tuple[Stride, ...]
    type: str


class Arguments:
    """The parameters of a kernel's functions for a layout, and the elements of `g`."""

    def __init__(self, kernel: Kernel, layout: Layout) -> None:
        self.kernel = kernel
        self.layout = layout
        self.inputs = [
            Tensor(f"in{i}", strides, f"const {STORED[x.dtype]}")
            for i, (x, strides) in enumerate(zip(kernel.inputs, layout.inputs, strict=True))
        ]
        self.outputs = [
            Tensor(f"out{i}", strides, STORED[x.value.dtype])
            for i, (x, strides) in enumerate(zip(kernel.outputs, layout.outputs, strict=True))
        ]
        self.tensors = [*self.inputs, *self.outputs]
        self.numbers = [f"p{i}" for i in range(len(kernel.parameters))]
        types = [PARAMETERS[dtype] for dtype in kernel.parameters]
        self._numbers = [f"{t} {p}" for t, p in zip(types, self.numbers, strict=True)]

    def untyped(self, *rest: str) -> str:
        """Return the parameters of a function that is called from outside, then `rest`."""
        inputs = [f"const void *{x.name}" for x in self.inputs]
        outputs = [f"void *{x.name}" for x in self.outputs]
        return ", ".join([*inputs, *outputs, "const long long *g", *self._numbers, *rest])

    def typed(self, *rest: str) -> str:
        """Return the parameters of a function that does the work, then `rest`."""
        tensors = [f"{x.type} *restrict {x.name}" for x in self.tensors]
        return ", ".join([*tensors, "const long long *restrict g", *self._numbers, *rest])

    def views(self) -> list[str]:
        """Return the addresses at which the inputs' views begin, of untyped parameters."""
        first = self.layout.rank * (1 + len(self.tensors))
        return [f"({x.type} *){x.name} + g[{first + i}]" for i, x in enumerate(self.inputs)]

    def stride(self, tensor: int, dim: int) -> str:
        """Return the element of `g` that is a stride."""
        return f"g[{self.layout.rank * (1 + tensor) + dim}]"

    def offset_terms(self, tensor: int, dims: range) -> list[str]:
        """Return the offset of a tensor along some dimensions, as the terms of a sum."""
        strides = self.tensors[tensor].strides
        moving = [dim for dim in dims if strides[dim] is not Stride.ZERO]
        return [f"i{dim} * {self.stride(tensor, dim)}" for dim in moving]

    def table_number(self, table: int, number: int) -> str:
        """Return the element of `g` that is a size or, behind these, a stride of a table."""
        before = 2 * sum(each.looked_up for each in self.kernel.inputs[:table])
        first = self.layout.rank * (1 + len(self.tensors)) + len(self.inputs)
        return f"g[{first + before + number}]"
