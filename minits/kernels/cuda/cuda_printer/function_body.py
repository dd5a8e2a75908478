"""The text of CUDA functions while it is written: its lines, and what all its statements share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from minits.kernels.cuda.arguments import tensors_of
from minits.kernels.cuda.cuda_printer.expressions import (
    commented,
    expression,
    literal,
    offset,
    stored_alone,
)
from minits.kernels.ir.kernel import Scalar
from minits.kernels.ir.printing import Lines, Names
from minits.kernels.scalar_ops.row import C_TYPES
from minits.kernels.schedule.cuda import Form
from minits.kernels.schedule.loops import Schedule


class FunctionBody(Lines):
    """The lines of functions. `in_chunk` tells whether an element `k` is at hand.

    `if_filled` and `and_filled` are what texts say of the end of a row, which chunks may reach past
    if they are not `even`.
    """

    def __init__(self, schedule: Schedule, form: Form) -> None:
        super().__init__()
        self.schedule = schedule
        self.kernel = schedule.kernel
        self.layout = schedule.layout
        self.form = form
        self.names = Names(self.kernel.values, literal)
        self.tensors = tensors_of(self.layout)
        self.stored_alone = stored_alone(self.kernel)
        self.in_chunk = False
        self.if_filled = "" if form.even else "if (k < filled) "
        self.and_filled = "" if form.even else ", filled"
        self.count = f"g.size{self.layout.rank - 1}"

    @contextmanager
    def unrolled(self, head: str) -> Iterator[None]:
        """Open a loop that the compiler is to unroll."""
        self.lines.append("#pragma unroll")
        with self.block(head):
            yield

    def declare(self, value: Scalar, text: str) -> None:
        """Write `const float v3 = ...;` with its source line."""
        line = f"const {C_TYPES[value.dtype]} {self.names[value]} = {text};"
        self.add(commented(line, value))

    def expression(self, value: Scalar) -> str:
        """Return the text of a value that is neither loaded nor reduced."""
        is_stored = value in self.stored_alone
        return expression(value, self.names, self.schedule.calls.get(value), is_stored)

    def declare_once(self) -> None:
        for value in self.schedule.once:
            self.declare(value, self.expression(value))

    def declare_indices(self, index: str, dims: range, fastest: str | None = None) -> None:
        """Take an index apart into `i0`, `i1`, ..., the last dimension fastest.

        `fastest` is the name of the number of chunks of the last dimension: its index is that of
        the chunk's first element.
        """
        chunk = " * CHUNK" if fastest else ""
        if len(dims) > 1:
            self.add(f"Index rest = {index};")
            index = "rest"
        for dim in reversed(dims[1:]):
            is_last = fastest is not None and dim == dims[-1]
            size = fastest if is_last else f"g.size{dim}"
            self.add(f"const Index i{dim} = rest % {size}{chunk if is_last else ''};")
            self.add(f"rest /= {size};")
        if dims:
            self.add(f"const Index i{dims[0]} = {index}{chunk if len(dims) == 1 else ''};")

    def address(self, number: int) -> str:
        """Return where a chunk begins in a tensor, by the pointer to the row if there is one."""
        name, strides = self.tensors[number]
        row, first = ("row_", self.layout.outer) if self.layout.inner else ("", 0)
        return f"{row}{name}{offset(name, strides, range(first, self.layout.rank))}"

    def register(self, value: Scalar) -> str:
        """Return the name of the array that keeps a value of a row in registers."""
        return f"kept{self.names.number(value)}"

    def shared(self, value: Scalar) -> str:
        """Return element `k` of a chunk in shared memory, where neighbours are of other threads."""
        return f"shared{self.names.number(value)}[(step * CHUNK + k) * {self.form.threads} + lane]"

    def scanned(self, value: Scalar) -> str:
        """Return the name of the row of the workspace in which a value is scanned."""
        return f"scan{self.names.number(value)}"

    def total(self, value: Scalar) -> str:
        """Return the name of the variable in which a thread reduces a value."""
        return f"{value.op}{self.names.number(value)}"

    def parts(self, value: Scalar) -> str:
        """Return the name of the workspace for what the parts of rows leave of a value."""
        return f"parts{self.names.number(value)}"
