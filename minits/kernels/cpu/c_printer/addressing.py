"""The parameters of a kernel's functions in C, and how its tensors are addressed.

    const float *restrict row_in0 = in0 + i0 * g[4];     the row of an input at the index i0
    row_in0[i * g[5]]                                    its element at the column i

`g` is the table of numbers that a kernel is called with (see `functions`): sizes, then the strides
of each tensor, the offsets of the inputs, and sizes and strides of what is looked up in. Tensors
are numbered, outputs after the inputs.

What is called from outside takes `void *` and the beginning of each tensor; what does the work
takes typed pointers to where each input's view begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.ir.printing import PARAMETERS, STORED
from minits.kernels.schedule.loops import For, Let, Schedule, Statement, statements_of


def untyped_parameters(kernel: Kernel, *rest: str) -> str:
    """Return the parameters of the function that is called from outside, then `rest`."""
    inputs = [f"const void *in{i}" for i in range(len(kernel.inputs))]
    outputs = [f"void *out{i}" for i in range(len(kernel.outputs))]
    return ", ".join([*inputs, *outputs, "const long long *g", *_numbers(kernel), *rest])


def typed_parameters(kernel: Kernel, *rest: str) -> str:
    """Return the parameters of the functions that do the work, then `rest`."""
    inputs = [f"const {STORED[x.dtype]} *restrict in{i}" for i, x in enumerate(kernel.inputs)]
    outputs = [
        f"{STORED[output.value.dtype]} *restrict out{i}" for i, output in enumerate(kernel.outputs)
    ]
    return ", ".join([*inputs, *outputs, "const long long *restrict g", *_numbers(kernel), *rest])


def view_addresses(kernel: Kernel, layout: Layout) -> list[str]:
    """Return the addresses at which the inputs' views begin, as expressions of the parameters."""
    first = layout.rank * (1 + len(kernel.inputs) + len(kernel.outputs))
    return [
        f"(const {STORED[x.dtype]} *)in{i} + g[{first + i}]" for i, x in enumerate(kernel.inputs)
    ]


def number_names(kernel: Kernel) -> list[str]:
    """Return the names of the numbers that are parameters."""
    return [f"p{i}" for i in range(len(kernel.parameters))]


def _numbers(kernel: Kernel) -> list[str]:
    return [
        f"{PARAMETERS[dtype]} {name}"
        for dtype, name in zip(kernel.parameters, number_names(kernel), strict=True)
    ]


class Addressing:
    """Lines, indented by four spaces a level, and the addresses of a kernel's tensors in them.

    `column` is the index along the last dimension, while there is one.
    """

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.kernel = schedule.kernel
        self.layout = schedule.layout
        self.column: str | None = None
        self.lines: list[str] = []
        self._depth = 1

    def add(self, text: str) -> None:
        self.lines.append(f"{'    ' * self._depth}{text}" if text else "")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Put lines between braces."""
        self.add(f"{head} {{")
        self._depth += 1
        yield
        self._depth -= 1
        self.add("}")

    @property
    def index(self) -> str:
        """The index of an element in its row."""
        return "i" if self.layout.inner == 1 else "base + i"

    def position(self, dim: int) -> str:
        """The index along a dimension."""
        return "i" if dim == self.layout.rank - 1 else f"i{dim}"

    def offset(self, tensor: int) -> str:
        """The offset of an element in its row.

        Outputs are numbered after the inputs.
        """
        _, strides, _ = self.tensors[tensor]
        if self.column is None or strides[-1] is Stride.ZERO:
            return "0"
        if strides[-1] is Stride.UNIT:
            return self.column
        return f"{self.column} * {self.stride(tensor, self.layout.rank - 1)}"

    @property
    def pointer_prefix(self) -> str:
        """The prefix of the names of pointers: to a row, or to some of its elements."""
        return "at" if self.column is not None and self.layout.inner > 1 else "row"

    @property
    def tensors(self) -> list[tuple[str, tuple[Stride, ...], str]]:
        """The name, the strides and the C type of each input and each output."""
        kernel, layout = self.kernel, self.layout
        inputs = [
            (f"in{i}", strides, f"const {STORED[x.dtype]}")
            for i, (x, strides) in enumerate(zip(kernel.inputs, layout.inputs, strict=True))
        ]
        outputs = [
            (f"out{i}", strides, STORED[x.value.dtype])
            for i, (x, strides) in enumerate(zip(kernel.outputs, layout.outputs, strict=True))
        ]
        return inputs + outputs

    def tensors_used(self, body: Iterable[Statement]) -> list[int]:
        """Return the numbers of the tensors that are read by some statements, and of all outputs.

        Outputs are numbered after the inputs.
        """
        lets = [each.value for each in statements_of(body) if isinstance(each, Let)]
        read = {value.payload for value in lets if value.is_read}
        inputs = len(self.kernel.inputs)
        return [number for number in range(len(self.tensors)) if number >= inputs or number in read]

    def size(self, dim: int) -> str:
        return f"g[{dim}]"

    def stride(self, tensor: int, dim: int) -> str:
        """The element of `g` that is a stride; outputs are numbered after the inputs."""
        return f"g[{self.layout.rank * (1 + tensor) + dim}]"

    def offset_terms(self, tensor: int, dims: Iterable[int]) -> list[str]:
        """Return the offset of a tensor along some dimensions, as the terms of a sum."""
        _, strides, _ = self.tensors[tensor]
        return [
            f"i{dim} * {self.stride(tensor, dim)}"
            for dim in dims
            if strides[dim] is not Stride.ZERO
        ]

    def table_number(self, table: int, number: int) -> str:
        """The element of `g` that is a size or, behind these, a stride of what is looked up in."""
        inputs = self.kernel.inputs
        before = 2 * sum(each.looked_up for each in inputs[:table])
        first = self.layout.rank * (1 + len(self.tensors)) + len(inputs)
        return f"g[{first + before + number}]"

    def declare_rows(self, dims: int) -> None:
        """Declare pointers to each tensor at the indices `i0`, ... of the first dimensions."""
        for number in self.tensors_used([Let(value) for value in self.kernel.values]):
            name, _, type = self.tensors[number]
            address = " + ".join([name, *self.offset_terms(number, range(dims))])
            self.add(f"{type} *restrict row_{name} = {address};")

    def declare_insides(self, loop: For) -> None:
        """Declare pointers along the last of several inner dimensions, and an offset in buffers."""
        outer, last = self.layout.outer, self.layout.rank - 1
        for number in self.tensors_used(loop.body):
            name, _, type = self.tensors[number]
            address = " + ".join([f"row_{name}", *self.offset_terms(number, range(outer, last))])
            self.add(f"{type} *restrict at_{name} = {address};")
        flat = "0"
        for dim in range(outer, last):
            flat = f"({flat} + i{dim}) * n{dim + 1}" if flat != "0" else f"i{dim} * n{dim + 1}"
        self.add(f"const long long base = {flat};")

    def first_index(self, dims: int, index: str) -> None:
        """Declare `i0`, ... of the first task from an index of the first dimensions as one."""
        for dim in reversed(range(1, dims)):
            self.add(f"long long i{dim} = {index} % n{dim};")
            self.add(f"long long rest{dim} = {index} / n{dim};")
            index = f"rest{dim}"
        if dims:
            self.add(f"long long i0 = {index};")

    def next_index(self, dims: int) -> None:
        """Move `i0`, ... on to the next row: divisions cost as much as a short row."""
        if dims > 1:
            with self.block(f"if (++i{dims - 1} == n{dims - 1})"):
                self.add(f"i{dims - 1} = 0;")
                self.next_index(dims - 1)
        elif dims:
            self.add("++i0;")
