"""The C text of the statements of a schedule.

`Loops` has what is common to all loops. The loop over the tasks of a thread has three forms:
`Stretches`, here, and those of `tiles` and `neighbours`. The body of a function is like

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

from collections.abc import Iterable

import torch

from minits.kernels.cpu.c_printer.addressing import Addressing
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
from minits.kernels.ir.printing import Names
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
)
from minits.kernels.schedule.usual import rare_dtype

RARE = 4
"""The status that a function for usual operands returns after it has met others."""
_RARE_TYPES = {torch.float32: "int", torch.float64: "long long"}
"""The types in which it is noted that there were rare operands: as wide as these, so that vectors
of both are equally long."""


class Loops(Addressing):
    """Writes the body of a function that does a range of tasks.

    What is computed is right for all operands if it `takes_all`, else for usual ones
    (`schedule.usual`). `columns` are the first index along the last dimension, and the end, of
    those that are next.
    """

    swept = "each row"
    """The range of a sweep, for readers."""

    def __init__(self, schedule: Schedule, takes_all: bool = False) -> None:
        super().__init__(schedule)
        self.takes_all = takes_all
        self.rare = () if takes_all else schedule.usual.rare
        self.names = Names(self.kernel.values, literal)
        self.columns = ("0", f"n{self.layout.rank - 1}")

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
        return "\n".join(self.lines) + "\n"

    def _declare_sizes(self) -> None:
        layout = self.layout
        for dim in range(layout.rank):
            self.add(f"const long long n{dim} = {self.size(dim)};")
        for table, strides in enumerate(layout.tables):
            for dim, stride in enumerate(strides):
                if stride is Stride.ANY:
                    step = self.table_number(table, len(strides) + dim)
                    self.add(f"const long long step{table}_{dim} = {step};")
        if self.kernel.has_checks:
            self.add("int failed = 0;")
        for dtype in self.rare:
            self.add(f"{_RARE_TYPES[dtype]} {_noted(dtype)} = 0;")
        if layout.inner:
            sizes = [f"n{dim}" for dim in range(layout.outer, layout.rank)]
            self.add(f"const long long count = {' * '.join(sizes)};")

    # ---- Loops ---------------------------------------------------------------------------------

    def tasks(self, loop: For) -> None:
        """Write the loop over the tasks of a thread. Each kind of loops defines it: this raises."""
        raise NotImplementedError

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
                self.declare_insides(loop)
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
        """Return the OpenMP clause of an accumulator.

        Raises NotImplementedError here: `tiles` and `neighbours` define it.
        """
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
        """Write a statement that is of sweeps over rows.

        Raises NotImplementedError here: `tiles` and `neighbours` define it.
        """
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
                return self.table_number(*value.payload)
        return expression(value, self.names, self.takes_all)

    def _loaded(self, value: Scalar) -> str:
        number = value.payload
        terms = [self.offset(number)]
        indices, guard = value.indices
        for dim, index in enumerate(indices):
            is_unit = self.layout.tables[number][dim] is Stride.UNIT
            terms.append(f"{self.names[index]}{'' if is_unit else f' * step{number}_{dim}'}")
        text = load(value.dtype, f"{self.pointer_prefix}_in{number}[{' + '.join(terms)}]")
        return text if guard is None else f"{self.names[guard]} ? {text} : 0"

    def store(self, store: Store) -> None:
        """Write a value to an output."""
        dtype = store.value.dtype
        index = self.offset(len(self.kernel.inputs) + store.output)
        text = stored(dtype, self.stored_text(store))
        self.add(f"{self.pointer_prefix}_out{store.output}[{index}] = {text};")

    def stored_text(self, store: Store) -> str:
        return self.names[store.value]


class Stretches(Loops):
    """Writes the loops of kernels that reduce nothing: each task is a stretch of a row.

    for (long long task = begin; task < end; ++task) {
        const long long first = stretch * 8192;
        const long long past = ...;
        const float *restrict row_in0 = in0 + i0 * g[2];
        #pragma omp simd
        for (long long i = first; i < past; ++i) { ... }
        if (++stretch == stretches) { stretch = 0; ++i0; }
    }
    """

    def tasks(self, loop: For) -> None:
        """Write the loop over stretches of rows, of `step` elements each.

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


def _noted(dtype: torch.dtype) -> str:
    """Return the variable in which it is noted that operands of a dtype were rare."""
    return f"rare_{SHORT_NAMES[dtype]}"


def accumulated(loop: For) -> list[Scalar]:
    """Return the reductions that a loop accumulates itself."""
    return [each.value for each in loop.body if isinstance(each, Accumulate)]
