"""The loops of a kernel on a CPU.

what is reduced                  loops
nothing                          stretches of rows, columns in vectors
rows                             tiles of rows: each sweep over all of them, columns in vectors
short rows, or short last        neighbouring rows, columns one after the other: vectors are of
dimensions (`short_rows`)        rows
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from minits.kernels.ir.kernel import Kernel, Level, Scalar, stages
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.kernels.scalar_ops.row import computed_in, kind_of
from minits.kernels.schedule.extremes import with_extremes
from minits.kernels.schedule.loops import (
    Accumulate,
    AddBlock,
    Buffer,
    EndOfBlock,
    Finish,
    For,
    Let,
    Locate,
    Over,
    Point,
    Read,
    Scan,
    Schedule,
    Section,
    Start,
    Statement,
    Store,
    SumBlock,
    Write,
    pointers,
    statements_of,
)
from minits.kernels.schedule.selection import selected_calls
from minits.kernels.schedule.short_rows import LONGEST, NEIGHBOURS
from minits.kernels.schedule.sweeps import Sweep, sweeps_of
from minits.kernels.schedule.uniform import standing_still, uniform_values
from minits.kernels.schedule.usual import usual_operands
from minits.records import replace

STRETCH = 8192
"""Elements of a task, where the last dimension is longer."""
TOGETHER = 1024
"""Elements of a tile of several rows."""
MOST_ROWS = 16
"""Rows of a tile."""
NEAR = 4096
"""Elements of a row that are kept on the stack; those of a longer one are on the heap."""
_STACK = 1 << 17
"""Bytes of them, if that is fewer: what threads have differs. A tile must fit in any case."""
BLOCK = 1024
"""Elements that are summed with the bits that they have."""
_SHORT_BLOCK = 8
"""The same, for each of the rows that are computed side by side."""
_WORTH_KEEPING = 5
"""Values that cost more additions than this are kept: writing and reading costs about as much."""
_SCANNED_TOGETHER = ("cumsum", "cumprod")
"""Scans of which each step waits for the one before: those of several rows are made together."""


def schedule_for_cpu(kernel: Kernel, layout: Layout, is_short: bool = False) -> Schedule:
    """Return the loops for a layout; if `is_short`, for sizes of which `has_short_rows` is true."""
    if layout.inner:
        schedule = (_ShortRows if is_short else _Rows)(kernel, layout).schedule()
    else:
        schedule = (_short_elementwise if is_short else _elementwise)(kernel, layout)
    calls = selected_calls(schedule.kernel)
    return replace(schedule, usual=usual_operands(kernel), calls=calls)


def is_float_sum(value: Scalar) -> bool:
    """Return whether a sum is made a block at a time: of floats and doubles, as they are in C."""
    return value.op == "sum" and kind_of(value.dtype) == "f"


# ---- Kernels that reduce nothing ---------------------------------------------------------------


def _elementwise(kernel: Kernel, layout: Layout) -> Schedule:
    """Compute what is the same along a row before the columns."""
    once, still = uniform_values(kernel), standing_still(kernel, layout)
    varying = _other_values(kernel, [*once, *still])
    columns = For(Over.COLUMNS, (*_lets(varying), *_stores(kernel)), in_vectors=True)
    pointer = pointers(kernel, kernel.values, layout.row_dims)
    loop = For(Over.STRETCHES, (pointer, *_lets(still), columns), STRETCH)
    return Schedule(kernel, layout, tuple(once), loop)


def _short_elementwise(kernel: Kernel, layout: Layout) -> Schedule:
    once = uniform_values(kernel)
    rows = _rows([*_lets(_other_values(kernel, once)), *_stores(kernel)])
    pointer = pointers(kernel, kernel.values, layout.row_dims)
    loop = For(Over.NEIGHBOURS, (pointer, For(Over.COLUMNS, (rows,))), NEIGHBOURS)
    return Schedule(kernel, layout, tuple(once), loop)


def _other_values(kernel: Kernel, known: Sequence[Scalar]) -> list[Scalar]:
    """Return the values that are neither known nor constants."""
    done = set(known)
    return [value for value in kernel.values if value not in done and value.op != "constant"]


def _lets(values: Iterable[Scalar]) -> list[Let]:
    return [Let(value) for value in values]


def _stores(kernel: Kernel) -> list[Store]:
    return [Store(index, output.value) for index, output in enumerate(kernel.outputs)]


# ---- Rows that are reduced or scanned ----------------------------------------------------------


class _Rows:
    """Rows in tiles: the first sweep over each of them, then the second one over each, and so on.

    The sweeps over one row wait for each other, those over several rows do not. What is known of
    each row is handed from sweep to sweep.
    """

    def __init__(self, kernel: Kernel, layout: Layout) -> None:
        self.kernel = self.prepared(kernel)
        self.layout = layout
        self.once = dict.fromkeys(uniform_values(self.kernel))
        self.sweeps = cpu_sweeps(self.kernel)
        self._stages = stages(self.kernel)

    def prepared(self, kernel: Kernel) -> Kernel:
        return with_extremes(kernel)

    def schedule(self) -> Schedule:
        kept = [value for sweep in self.sweeps for value in sweep.kept]
        together, near = _together(kept), 0
        if kept:
            bytes_of_all = sum(computed_in(value.dtype).itemsize for value in kept)
            near = max(together, min(NEAR, _STACK // bytes_of_all))
        handed = {v for number in range(len(self.sweeps)) for v in self._brought_to(number)}
        body: list[Statement] = [self._located()]
        for number, sweep in enumerate(self.sweeps):
            row = self._row(number, sweep, handed)
            pointer = self._pointers(row, self.layout.outer)
            scans = [Scan(value) for value in sweep.scans if value.op in _SCANNED_TOGETHER]
            body.append(Section(number, (For(Over.ROWS, (pointer, *row)), *scans)))
        loop = For(Over.TILES, tuple(body), together, rows=MOST_ROWS)
        return Schedule(self.kernel, self.layout, tuple(self.once), loop, near)

    def _located(self) -> Locate:
        """Return the statement that finds each row of a tile in the tensors that move with it."""
        outer, inputs = self.layout.outer, len(self.kernel.inputs)
        strides = [*self.layout.inputs, *self.layout.outputs]
        read = {value.payload for value in self.kernel.values if value.is_read}
        tensors = [
            number
            for number, steps in enumerate(strides)
            if (number >= inputs or number in read)
            and any(step is not Stride.ZERO for step in steps[:outer])
        ]
        asked = {dim for _, dim in self.layout.positions if dim is not None and dim < outer}
        return Locate(tuple(tensors), tuple(sorted(asked)))

    def _row(self, number: int, sweep: Sweep, handed: set[Scalar]) -> list[Statement]:
        """Return the statements of a sweep for each row."""
        made = self._made_in(number)
        row_outputs = [
            Store(index, output.value)
            for index, output in enumerate(self.kernel.outputs)
            if output.value.level is Level.ROW
            and (output.value in made or (number == 0 and self._is_uniform(output.value)))
        ]
        return [
            *[Read(value, Buffer.ROW) for value in self._brought_to(number)],
            *_lets(self._of_stage(0) if number == 0 else []),
            *[Start(value) for value in sweep.reductions],
            *self._over_dims(self._columns(sweep)),
            *[Finish(value) for value in sweep.reductions],
            *[Scan(value) for value in sweep.scans if value.op not in _SCANNED_TOGETHER],
            *_lets(self._of_stage(number + 1)),
            *[Write(value, Buffer.ROW) for value in made if value in handed],
            *row_outputs,
        ]

    def _over_dims(self, body: Sequence[Statement]) -> Sequence[Statement]:
        """Return loops over the dimensions of a row that are not the last one."""
        last = self.layout.rank - 1
        for dim in reversed(range(self.layout.outer, last)):
            innermost = [self._pointers(body, last)] if dim == last - 1 else []
            body = [For(Over.DIM, (*innermost, *body), dim=dim)]
        return body

    def _pointers(self, body: Iterable[Statement], dims: int) -> Point:
        """Return the pointers that these statements need at the indices of so many dimensions."""
        body = list(statements_of(body))
        lets = [each.value for each in body if isinstance(each, Let)]
        kept = [
            each.value
            for each in body
            if isinstance(each, Read | Write) and each.buffer is Buffer.KEPT
        ]
        return pointers(self.kernel, lets, dims, kept)

    def _columns(self, sweep: Sweep) -> list[Statement]:
        """Return the loop over columns; sums of floats are made a block at a time."""
        blocked = [value for value in sweep.reductions if is_float_sum(value)]
        found = {value: self._summed_from(value, sweep) for value in blocked}
        body = (
            *self._computed(sweep),
            *[Accumulate(value) for value in sweep.reductions if value not in found],
            *_stored(self.kernel, sweep),
            *[Write(value, Buffer.BLOCK) for value in blocked if found[value] is Buffer.BLOCK],
        )
        columns = For(Over.COLUMNS, body, in_vectors=True)
        if not blocked:
            return [columns]
        sums = [SumBlock(value, found[value]) for value in blocked]
        return [For(Over.BLOCKS, (columns, *sums), BLOCK)]

    def _computed(self, sweep: Sweep) -> list[Statement]:
        return [
            *[Read(value, Buffer.KEPT) for value in sweep.reread],
            *_lets(sweep.values),
            *[Write(value, Buffer.KEPT) for value in sweep.kept],
        ]

    def _summed_from(self, value: Scalar, sweep: Sweep) -> Buffer | None:
        """Return the buffer of a block's elements; None if they are in memory as the sum's type."""
        operand = value.operands[0]
        if operand in sweep.kept or operand in sweep.reread:
            return Buffer.KEPT
        if operand.op != "load" or operand.dtype != computed_in(value.dtype):
            return Buffer.BLOCK
        is_unit = self.layout.inputs[operand.payload][-1] is Stride.UNIT
        return None if is_unit else Buffer.BLOCK

    # ---- What is known of rows -----------------------------------------------------------------

    def _is_uniform(self, value: Scalar) -> bool:
        return value.op == "constant" or value in self.once

    def _of_stage(self, number: int) -> list[Scalar]:
        """Return the values of a row that are known after so many sweeps, but for reductions."""
        return [
            value
            for value in self.kernel.values
            if value.level is Level.ROW
            and self._stages[value] == number
            and not (value.is_reduction or self._is_uniform(value))
        ]

    def _made_in(self, number: int) -> list[Scalar]:
        """Return the values of a row that are worked out in a sweep's loop over rows."""
        before = self._of_stage(0) if number == 0 else []
        return [*before, *self.sweeps[number].reductions, *self._of_stage(number + 1)]

    def _brought_to(self, number: int) -> list[Scalar]:
        """Return the values of a row from earlier sweeps that a sweep, or its end, works with."""
        sweep, made = self.sweeps[number], self._made_in(number)
        users = [*sweep.values, *sweep.scans, *made]
        needed = {operand for value in users for operand in value.operands}
        needed.update(self.kernel.outputs[output].value for output in sweep.outputs)
        return self._of_rows(needed.difference(made))

    def _of_rows(self, values: Iterable[Scalar]) -> list[Scalar]:
        """Return the values among some that differ from row to row only, operands first."""
        wanted = set(values)
        return [
            value
            for value in self.kernel.values
            if value in wanted and value.level is Level.ROW and not self._is_uniform(value)
        ]


def _stored(kernel: Kernel, sweep: Sweep) -> list[Store]:
    return [Store(index, kernel.outputs[index].value) for index in sweep.outputs]


def _together(kept: Sequence[Scalar]) -> int:
    """Return the elements of a tile of several rows: more, if rows are scanned at once."""
    is_scanned = any(value.op in _SCANNED_TOGETHER for value in kept)
    return 4 * TOGETHER if is_scanned and len(kept) < 4 else TOGETHER


class _ShortRows(_Rows):
    """Neighbouring rows: the innermost loops are over rows, and what is known of each waits."""

    def prepared(self, kernel: Kernel) -> Kernel:
        return kernel

    def schedule(self) -> Schedule:
        kept = dict.fromkeys([v for sweep in self.sweeps for v in [*sweep.kept, *sweep.scans]])
        pointer = pointers(self.kernel, self.kernel.values, self.layout.outer, kept)
        body: list[Statement] = [pointer, *self._finished([], self._of_stage(0))]
        for number, sweep in enumerate(self.sweeps):
            after = self._finished(sweep.reductions, self._of_stage(number + 1))
            body.append(Section(number, (*self._sweep(sweep), *after)))
        stores = [
            Store(index, output.value, is_waiting=not self._is_uniform(output.value))
            for index, output in enumerate(self.kernel.outputs)
            if output.value.level is Level.ROW
        ]
        if stores:
            body.append(Section(None, (_rows(stores),)))
        loop = For(Over.NEIGHBOURS, tuple(body), NEIGHBOURS)
        return Schedule(self.kernel, self.layout, tuple(self.once), loop, near=LONGEST)

    def _sweep(self, sweep: Sweep) -> list[Statement]:
        starts = [Start(value) for value in sweep.reductions]
        users = [*sweep.values, *sweep.reductions, *sweep.scans]
        body = [
            *self._brought_for(users, users),
            *self._computed(sweep),
            *[Accumulate(value, is_float_sum(value)) for value in sweep.reductions],
            *_stored(self.kernel, sweep),
        ]
        sums = [AddBlock(value) for value in sweep.reductions if is_float_sum(value)]
        columns: list[Statement] = [_rows(body)]
        if sums:
            columns.append(EndOfBlock(_SHORT_BLOCK, (_rows(sums),)))
        return [
            *([_rows(starts)] if starts else []),
            *self._over_dims([For(Over.COLUMNS, tuple(columns))]),
            *[Scan(value) for value in sweep.scans],
        ]

    def _finished(self, reductions: Sequence[Scalar], values: Sequence[Scalar]) -> list[Statement]:
        """Return the loop that computes the values of each row that these reductions determine."""
        made = [*reductions, *values]
        body = [
            *self._brought_for(values, made),
            *[Finish(value) for value in reductions],
            *_lets(values),
            *[Write(value, Buffer.ROW) for value in made],
        ]
        return [_rows(body)] if made else []

    def _brought_for(self, users: Sequence[Scalar], made: Sequence[Scalar]) -> list[Statement]:
        """Return reads of values of the row that are needed, but for those that are `made`."""
        needed = {operand for value in users for operand in value.operands}
        return [Read(value, Buffer.ROW) for value in self._of_rows(needed.difference(made))]


def _rows(body: Sequence[Statement]) -> For:
    return For(Over.ROWS, tuple(body), in_vectors=True)


# ---- What is kept ------------------------------------------------------------------------------


def cpu_sweeps(kernel: Kernel) -> list[Sweep]:
    """Return the sweeps over each row, at least one."""
    return sweeps_of(kernel, _worth_keeping(kernel)) or [Sweep()]


def _worth_keeping(kernel: Kernel) -> set[Scalar]:
    """Return the values to be kept for later sweeps: costly ones, scans, sums' operands but loads.

    What is summed is written to memory in any case, and what is scanned.
    """
    costs = _costs(kernel)
    summed = {value.operands[0] for value in kernel.values if value.op == "sum"}
    return {
        value
        for value, cost in costs.items()
        if cost > _WORTH_KEEPING or value.is_scan or (value in summed and value.operands)
    }


def _costs(kernel: Kernel) -> dict[Scalar, int]:
    """Return the cost of each FULL value, with all that it is computed from.

    What is scanned is read.
    """
    costs: dict[Scalar, int] = {}
    for value in kernel.values:
        row = SCALAR_OPS.get(value.op)
        own = row.cost if row is not None else 1
        below = 0 if value.is_scan else sum(costs[operand] for operand in value.operands)
        costs[value] = own + below if value.level is Level.FULL else 0
    return costs
