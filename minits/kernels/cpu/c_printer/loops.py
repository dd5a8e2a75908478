"""How the statements of a schedule are written in C.

What is common to all loops is here, and the loops of kernels that reduce nothing; `tiles` and
`neighbours` write those of rows. Each has a body like

    const long long n0 = g[0];                           sizes
    const float v3 = p0;                                 values that are the same for the launch
    for (long long task = begin; task < end; ...) {      the tasks of a thread
        const float *restrict row_in0 = in0 + i0 * g[4];
        #pragma omp simd
        for (long long i = ...; i < ...; ++i) {          columns
            const float v0 = row_in0[i];
            ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import torch

from minits.kernels.cpu.c_printer.expressions import (
    comment,
    expression,
    literal,
    load,
    rare_test,
    stored,
)
from minits.kernels.ir.kernel import Scalar
from minits.kernels.ir.layout import Stride
from minits.kernels.ir.printing import STORED, Names
from minits.kernels.scalar_ops.row import C_TYPES, SHORT_NAMES
from minits.kernels.schedule.loops import (
    Accumulate,
    For,
    Let,
    Over,
    Schedule,
    Section,
    Statement,
    Store,
    statements_of,
)
from minits.kernels.schedule.usual import rare_dtype

RARE = 4
"""What a function for usual operands returns after it has met others."""
_RARE_TYPES = {torch.float32: "int", torch.float64: "long long"}
"""The types in which it is noted that there were rare operands: as wide as these, so that vectors
of both are equally long."""


class Loops:
    """Writes the body of a function that does a range of tasks.

    Lines are indented by four spaces a level. What they compute is right for all operands if they
    `take_all`, else for usual ones (`schedule.usual`). `column` is the index along the last
    dimension, while there is one, and `columns` are the first one and the end of those that are
    next.
    """

    swept = "each row"
    """What a sweep is over, for readers."""

    def __init__(self, schedule: Schedule, takes_all: bool = False) -> None:
        self.schedule = schedule
        self.kernel = schedule.kernel
        self.layout = schedule.layout
        self.takes_all = takes_all
        self.rare = () if takes_all else schedule.usual.rare
        self.names = Names(self.kernel.values, literal)
        self.column: str | None = None
        self.columns = ("0", f"n{self.layout.rank - 1}")
        self._lines: list[str] = []
        self._depth = 1

    def text(self) -> str:
        self._declare_sizes()
        for value in self.schedule.once:
            self.let(value)
        self.add("if (begin >= end) return 0;")
        self.tasks(self.schedule.loop)
        if self.rare:
            found = " | ".join(map(_noted, self.rare))
            self.add(f"if ({found}) return {RARE};")
        self.add("return failed ? 2 : 0;" if self.kernel.has_checks else "return 0;")
        return "\n".join(self._lines) + "\n"

    def add(self, text: str) -> None:
        self._lines.append(f"{'    ' * self._depth}{text}" if text else "")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Put lines between braces."""
        self.add(f"{head} {{")
        self._depth += 1
        yield
        self._depth -= 1
        self.add("}")

    # ---- Loops ---------------------------------------------------------------------------------

    def tasks(self, loop: For) -> None:
        """Write the loop over the tasks of a thread: here, stretches of rows, `step` elements each.

        A task is counted as if all stretches of all rows stood behind each other.
        """
        last, step = self.layout.rank - 1, loop.step
        self.add(f"const long long stretches = (n{last} + {step - 1}) / {step};")
        self.add("long long stretch = begin % stretches;")
        self.first_index(last, "(begin / stretches)")
        with self.block("for (long long task = begin; task < end; ++task)"):
            self.add(f"const long long first = stretch * {step};")
            self.add(f"const long long rest_of_row = n{last} - first;")
            self.add(
                f"const long long past = first + (rest_of_row < {step} ? rest_of_row : {step});"
            )
            self.declare_rows(last)
            self.columns = ("first", "past")
            self.statements(loop.body)
            with self.block("if (++stretch == stretches)"):
                self.add("stretch = 0;")
                self.next_index(last)

    def loop(self, loop: For) -> None:
        """Write a loop within a task."""
        if loop.over is Over.DIM:
            self._over_dim(loop)
        else:
            self._over_columns(loop)

    def _over_dim(self, loop: For) -> None:
        dim, last = loop.dim, self.layout.rank - 1
        with self.block(f"for (long long i{dim} = 0; i{dim} < n{dim}; ++i{dim})"):
            if dim == last - 1:
                self._declare_insides(loop)
            self.statements(loop.body)

    def _over_columns(self, loop: For) -> None:
        begin, end = self.columns
        if loop.in_vectors:
            self.pragma_simd("".join(map(self.clause, accumulated(loop))))
        with self.block(f"for (long long i = {begin}; i < {end}; ++i)"):
            self.column = "i"
            self.statements(loop.body)
            self.column = None

    def pragma_simd(self, clauses: str = "") -> None:
        """Announce a loop whose iterations do not depend on each other, but for the checks."""
        noted = ["failed"] if self.kernel.has_checks else []
        noted += map(_noted, self.rare)
        reductions = "".join([f" reduction(|:{name})" for name in noted])
        self.add(f"#pragma omp simd{clauses}{reductions}")

    def clause(self, value: Scalar) -> str:
        """Return the OpenMP clause of an accumulator."""
        raise NotImplementedError

    # ---- Statements ----------------------------------------------------------------------------

    def statements(self, body: Iterable[Statement]) -> None:
        for statement in body:
            match statement:
                case For():
                    self.loop(statement)
                case Section(sweep):
                    self.add("")
                    if sweep is not None:
                        self.add(f"// Sweep {sweep} over {self.swept}.")
                    self.statements(statement.body)
                case Let(value):
                    self.let(value)
                case Store():
                    self.store(statement)
                case _:
                    self.statement(statement)

    def statement(self, statement: Statement) -> None:
        """Write a statement that is of sweeps over rows."""
        raise NotImplementedError

    def let(self, value: Scalar) -> None:
        """Declare a value."""
        if value.op == "checked":
            self.add(f"failed |= !{self.names[value.operands[1]]};{comment(value)}")
        self.declare(value, self._text(value), comment(value))
        if self.rare and (dtype := rare_dtype(value)) is not None:
            self.add(f"{_noted(dtype)} |= {rare_test(value, dtype, self.names)};")

    def declare(self, value: Scalar, text: str, note: str = "") -> None:
        self.add(f"const {C_TYPES[value.dtype]} {self.names[value]} = {text};{note}")

    def _text(self, value: Scalar) -> str:
        match value.op:
            case "load" | "look_up":
                return self._loaded(value)
            case "position":
                dim = dict(self.layout.positions)[value.payload]
                return "0" if dim is None else self.position(dim)
            case "index":
                return self.index
            case "length":
                return self._table_number(*value.payload)
        return expression(value, self.names, self.takes_all)

    def _loaded(self, value: Scalar) -> str:
        number = value.payload
        terms = [self.offset(number)]
        indices, guard = value.indices
        for dim, index in enumerate(indices):
            is_unit = self.layout.tables[number][dim] is Stride.UNIT
            terms.append(f"{self.names[index]}{'' if is_unit else f' * step{number}_{dim}'}")
        text = load(value.dtype, f"{self._beginning}_in{number}[{' + '.join(terms)}]")
        return text if guard is None else f"{self.names[guard]} ? {text} : 0"

    def store(self, store: Store) -> None:
        """Write a value to an output."""
        dtype = store.value.dtype
        index = self.offset(len(self.kernel.inputs) + store.output)
        text = stored(dtype, self.stored_text(store))
        self.add(f"{self._beginning}_out{store.output}[{index}] = {text};")

    def stored_text(self, store: Store) -> str:
        return self.names[store.value]

    # ---- Where things are ----------------------------------------------------------------------

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
    def _beginning(self) -> str:
        """Return the prefix of the names of pointers: to a row, or to some of its elements."""
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

    def _table_number(self, table: int, number: int) -> str:
        """The place in `g` of a size or, behind these, a stride of what is looked up in."""
        inputs = self.kernel.inputs
        before = 2 * sum(each.looked_up for each in inputs[:table])
        first = self.layout.rank * (1 + len(self.tensors)) + len(inputs)
        return f"g[{first + before + number}]"

    def _declare_sizes(self) -> None:
        layout = self.layout
        for dim in range(layout.rank):
            self.add(f"const long long n{dim} = {self.size(dim)};")
        for table, strides in enumerate(layout.tables):
            for dim, stride in enumerate(strides):
                if stride is Stride.ANY:
                    step = self._table_number(table, len(strides) + dim)
                    self.add(f"const long long step{table}_{dim} = {step};")
        if self.kernel.has_checks:
            self.add("int failed = 0;")
        for dtype in self.rare:
            self.add(f"{_RARE_TYPES[dtype]} {_noted(dtype)} = 0;")
        if layout.inner:
            sizes = [f"n{dim}" for dim in range(layout.outer, layout.rank)]
            self.add(f"const long long count = {' * '.join(sizes)};")

    def declare_rows(self, dims: int) -> None:
        """Work out where each tensor is at the indices `i0`, ... of the first dimensions."""
        for number in self.used([Let(value) for value in self.kernel.values]):
            name, _, type = self.tensors[number]
            place = " + ".join([name, *self.moved(number, range(dims))])
            self.add(f"{type} *restrict row_{name} = {place};")

    def _declare_insides(self, loop: For) -> None:
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


def _noted(dtype: torch.dtype) -> str:
    """Return the variable in which it is noted that operands of a dtype were rare."""
    return f"rare_{SHORT_NAMES[dtype]}"


def accumulated(loop: For) -> list[Scalar]:
    """Return the reductions that a loop accumulates itself."""
    return [each.value for each in loop.body if isinstance(each, Accumulate)]
