"""Lines of C, and where a kernel's tensors lie in them.

    const float *restrict row_in0 = in0 + i0 * g[4];     the row of an input at the index i0
    row_in0[i * g[5]]                                    its element at the column i

`g` is the table of numbers that a kernel is called with (see `functions`): sizes, then the strides
of each tensor. Tensors are numbered, outputs after the inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from minits.kernels.ir.layout import Stride
from minits.kernels.ir.printing import STORED
from minits.kernels.schedule.loops import For, Let, Schedule, Statement, statements_of


class Places:
    """Lines, indented by four spaces a level, and the names of what lies in memory.

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
        """The place of an element behind the beginning of its row.

        Outputs are numbered after the inputs.
        """
        _, strides, _ = self.tensors[tensor]
        if self.column is None or strides[-1] is Stride.ZERO:
            return "0"
        if strides[-1] is Stride.UNIT:
            return self.column
        return f"{self.column} * {self.stride(tensor, self.layout.rank - 1)}"

    @property
    def beginning(self) -> str:
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

    def used(self, body: Iterable[Statement]) -> list[int]:
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
        """The place in `g` of a stride; outputs are numbered after the inputs."""
        return f"g[{self.layout.rank * (1 + tensor) + dim}]"

    def moved(self, tensor: int, dims: Iterable[int]) -> list[str]:
        """Return the offset of a tensor along some dimensions, as the terms of a sum."""
        _, strides, _ = self.tensors[tensor]
        return [
            f"i{dim} * {self.stride(tensor, dim)}"
            for dim in dims
            if strides[dim] is not Stride.ZERO
        ]

    def table_number(self, table: int, number: int) -> str:
        """The place in `g` of a size or, behind these, a stride of what is looked up in."""
        inputs = self.kernel.inputs
        before = 2 * sum(each.looked_up for each in inputs[:table])
        first = self.layout.rank * (1 + len(self.tensors)) + len(inputs)
        return f"g[{first + before + number}]"

    def declare_rows(self, dims: int) -> None:
        """Work out where each tensor is at the indices `i0`, ... of the first dimensions."""
        for number in self.used([Let(value) for value in self.kernel.values]):
            name, _, type = self.tensors[number]
            place = " + ".join([name, *self.moved(number, range(dims))])
            self.add(f"{type} *restrict row_{name} = {place};")

    def declare_insides(self, loop: For) -> None:
        """With several inner dimensions: where the tensors and buffers are along the last one."""
        outer, last = self.layout.outer, self.layout.rank - 1
        for number in self.used(loop.body):
            name, _, type = self.tensors[number]
            place = " + ".join([f"row_{name}", *self.moved(number, range(outer, last))])
            self.add(f"{type} *restrict at_{name} = {place};")
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
