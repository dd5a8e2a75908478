"""Evaluator of schedules, one element after the other: it defines the meaning of the loop IR.

It is an oracle and very slow. Each statement does what the classes of `loops` say, for numpy's
scalars; a value is known from where it is declared to the end of the innermost loop around that, as
in C, so that a schedule that forgets to hand a value on fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any, TypeVar

import numpy as np

from minits.kernels.ir.evaluate import Array, computed, number_of, rounded, scanned
from minits.kernels.ir.kernel import Scalar
from minits.kernels.schedule.accumulating import NOTHING, combined
from minits.kernels.schedule.loops import (
    Accumulate,
    AddBlock,
    Buffer,
    Combine,
    EndOfBlock,
    Finish,
    For,
    Leave,
    Let,
    Locate,
    Over,
    Point,
    Read,
    ReadChunk,
    Scan,
    Schedule,
    Section,
    Start,
    Statement,
    Store,
    SumBlock,
    SumColumns,
    Write,
    WriteChunk,
)
from minits.kernels.schedule.memory import Indices, Memory
from minits.kernels.schedule.quick import QUICK_FUNCTIONS
from minits.kernels.schedule.selection import FUNCTIONS

T = TypeVar("T")
_FUNCTIONS = FUNCTIONS | QUICK_FUNCTIONS
_PARTS = 3
"""Parts of a row: a launch has as many as keep its machine busy."""


def evaluate_loops(
    schedule: Schedule,
    sizes: Sequence[int],
    inputs: Sequence[Array],
    outputs: Sequence[Array],
    parameters: Sequence[float | int | bool],
    is_reversed: bool = False,
) -> dict[int, Array]:
    """Run a schedule for dimensions of these sizes, and write its outputs.

    If `is_reversed`, what threads and vectors may do in any order is done from the last to the
    first: the result is the same, but for how sums of floats are rounded.

    Return the sums over the rows of outputs, where the schedule has such, by the output.

    Each array has all dimensions of the layout, behind those that are looked up. It is a view of
    what lies in memory, without a step along dimensions in which it does not move. Those of halves
    are of float32.

    Raises ValueError where a check fails.
    """
    run = _Run(schedule, sizes, inputs, outputs, parameters, is_reversed)
    with np.errstate(all="ignore"):
        run.statements([*[Let(value) for value in schedule.once], *schedule.loops])
    return run.sums


class _Run:
    """`at` are the indices of the loops, `row` is which of `rows` is at hand, while one is.

    `known` are the values at hand, `buffers` what waits for later loops, `totals` the accumulators
    and `parts` what was left of them of each part of a row.
    """

    def __init__(
        self,
        schedule: Schedule,
        sizes: Sequence[int],
        inputs: Sequence[Array],
        outputs: Sequence[Array],
        parameters: Sequence[float | int | bool],
        is_reversed: bool,
    ) -> None:
        self.is_reversed = is_reversed
        self.layout = schedule.layout
        self.calls = schedule.calls
        self.sizes = sizes
        self.memory = Memory(schedule.layout, inputs, outputs)
        if schedule.loop.over is Over.CHUNKS:
            self.memory.point(range(len(self.memory.tensors)), {})
        self.parameters = parameters
        self.row_sizes = tuple(sizes[self.layout.outer :])
        self.at: dict[int, int] = {}
        self.rows: list[tuple[int, ...]] = []
        self.row = 0
        self.in_row = False
        self.located: Locate | None = None
        self.part: int | None = None
        self.cached = slice(None)
        self.sums: dict[int, Array] = {}
        self.columns = range(sizes[-1])
        self.known: dict[Scalar, Array] = {
            value: number_of(value.payload, value.dtype)
            for value in schedule.kernel.values
            if value.op == "constant"
        }
        self.buffers: dict[tuple[Any, ...], Array] = {}
        self.totals: dict[tuple[Any, ...], Any] = {}
        self.parts: dict[tuple[Any, ...], Any] = {}

    # ---- Loops ---------------------------------------------------------------------------------

    def statements(self, body: Iterable[Statement]) -> None:
        for statement in body:
            match statement:
                case For():
                    self.loop(statement)
                case Section():
                    self.statements(statement.body)
                case EndOfBlock(step):
                    column = self.at[self.layout.rank - 1]
                    if column % step == step - 1 or column == self.columns[-1]:
                        self.statements(statement.body)
                case _:
                    self.statement(statement)

    def loop(self, loop: For) -> None:
        known, pointers = self.known, self.memory.pointers
        for _ in self._iterations(loop):
            self.known = dict(known)
            self.memory.pointers = {} if loop.over is Over.DIM else pointers
            self.statements(loop.body)
        self.known, self.memory.pointers = known, pointers

    def _iterations(self, loop: For) -> Iterator[None]:
        """Set what a loop's iterations differ in."""
        last = self.layout.rank - 1
        match loop.over:
            case Over.CACHED_ROWS:
                yield from self._over_cached_rows(loop.step)
            case Over.STRETCHES:
                for row in self._rows_at_hand(last):
                    self.at = dict(enumerate(row))
                    yield from self._over_columns(loop)
            case Over.TILES:
                self.located = Locate((), ())
                rows = self._rows_at_hand(self.layout.outer)
                count = loop.rows_of_tile(prod(self.row_sizes))
                yield from self._over_groups(rows, count)
                self.located = None
            case Over.NEIGHBOURS:
                dim = self.layout.row_dims - 1
                for start in np.ndindex(*self.sizes[:dim]):
                    rows = [(*start, index) for index in range(self.sizes[dim])]
                    yield from self._over_groups(rows, loop.step)
            case Over.ROWS:
                self.in_row, outside = True, self.at
                for number, row in self._in_any_order(list(enumerate(self.rows))):
                    self.row = number
                    dims = range(len(row)) if self.located is None else self.located.dims
                    self.at = {**outside, **{dim: row[dim] for dim in dims}}
                    yield
                self.in_row, self.at = False, outside
            case Over.LONE_ROWS:
                rows = self._rows_at_hand(self.layout.outer)
                yield from self._over_lone_rows(rows)
            case Over.PARTS:
                rows = self._rows_at_hand(self.layout.outer)
                for part in range(_PARTS):
                    self.part = part
                    yield from self._over_lone_rows(rows)
                self.part = None
            case Over.FOUND:
                for part in range(_PARTS):
                    self.part = part
                    yield
                self.part = None
            case Over.CHUNKS | Over.FIRST_CHUNKS | Over.OTHER_CHUNKS:
                yield from self._over_chunks(loop)
            case Over.DIM:
                assert loop.dim is not None
                yield from self._over_indices(loop.dim, range(self.sizes[loop.dim]))
            case Over.BLOCKS:
                yield from self._over_columns(loop)
            case Over.COLUMNS:
                columns = self._in_any_order(self.columns) if loop.in_vectors else self.columns
                yield from self._over_indices(last, columns)

    def _in_any_order(self, items: Sequence[T]) -> Sequence[T]:
        return items[::-1] if self.is_reversed else items

    def _rows_at_hand(self, dims: int) -> list[tuple[int, ...]]:
        """Return the indices of the rows to be computed: all, or those that are to be cached."""
        return list(np.ndindex(*self.sizes[:dims]))[self.cached]

    def _over_cached_rows(self, step: int) -> Iterator[None]:
        dims = self.layout.row_dims
        count = max(1, step // prod(self.sizes[dims:]))
        for first in range(0, prod(self.sizes[:dims]), count):
            self.cached = slice(first, first + count)
            yield
        self.cached = slice(None)

    def _over_groups(self, rows: Sequence[tuple[int, ...]], count: int) -> Iterator[None]:
        for first in self._in_any_order(range(0, len(rows), count)):
            self.rows = list(rows[first : first + count])
            self.at, self.buffers, self.totals = {}, {}, {}
            yield

    def _over_lone_rows(self, rows: Sequence[tuple[int, ...]]) -> Iterator[None]:
        for _ in self._over_groups(rows, 1):
            self.in_row = True
            self.at = dict(enumerate(self.rows[0]))
            yield
            self.in_row = False

    def _over_chunks(self, loop: For) -> Iterator[None]:
        """Run over the chunks of a part, if there are parts: some of them, in turns.

        The first of a row is its first one alone.
        """
        dims = range(self.layout.outer if self.layout.inner else 0, self.layout.rank - 1)
        number = 0
        for index in np.ndindex(*[self.sizes[dim] for dim in dims]):
            self.at |= dict(zip(dims, index, strict=True))
            for _ in self._over_columns(loop):
                is_here = loop.over is Over.CHUNKS or (loop.over is Over.OTHER_CHUNKS) == (
                    number > 0
                )
                if is_here and (self.part is None or number % _PARTS == self.part):
                    self.memory.chunk = {}
                    yield
                    self.memory.chunk = None
                number += 1

    def _over_indices(self, dim: int, indices: Iterable[int]) -> Iterator[None]:
        for index in indices:
            self.at[dim] = index
            yield
        del self.at[dim]

    def _over_columns(self, loop: For) -> Iterator[None]:
        whole = self.columns
        starts = range(0, len(whole), loop.step)
        for first in self._in_any_order(starts) if loop.over.is_shared else starts:
            self.columns = whole[first : first + loop.step]
            yield
        self.columns = whole

    # ---- Statements ----------------------------------------------------------------------------

    def statement(self, statement: Statement) -> None:
        match statement:
            case Locate():
                self.located = statement
            case Point(tensors, dims, kept):
                at = {dim: index for dim, index in self.at.items() if dim < dims}
                self.memory.point([*tensors, *kept], at)
                if self.located is not None:
                    moving = [number for number in tensors if number in self.located.tensors]
                    self.memory.point(moving, {**dict(enumerate(self.rows[self.row])), **at})
            case ReadChunk(number):
                self.memory.read_chunk(number, self._elements())
            case WriteChunk(number):
                self.memory.write_chunk(number, self._elements())
            case Let(value):
                self._let(value, self._value_of(value))
            case Read(value, buffer):
                self._let(value, self.buffers[self._key(value, buffer)])
            case Write(value, buffer):
                self.buffers[self._key(value, buffer)] = self.known[statement.written]
            case Start(value):
                self.totals[value, self.row] = NOTHING[value.op]
                self.totals[value, self.row, "block"] = 0
            case Accumulate(value, of_block):
                self._accumulate(value, of_block)
            case AddBlock(value):
                self.totals[value, self.row] += self.totals[value, self.row, "block"]
                self.totals[value, self.row, "block"] = 0
            case SumBlock(value, buffer):
                elements = np.array(list(self._block(value, buffer)))
                self.totals[value, self.row] += np.sum(elements, dtype=np.float64)
            case Finish(value):
                total = self.totals[value, self.row]
                self._let(value, total[1] if value.op.startswith("arg") else total)
            case Leave(value):
                self.parts[value, self.rows[0], self.part] = self.totals[value, self.row]
            case Combine(value):
                self._combine(value, self.parts[value, self.rows[0], self.part])
            case Scan(value):
                self._scan(value)
            case SumColumns(output):
                dims = self.layout.row_dims
                tensor = self.memory.tensors[self.memory.outputs[output]]
                rows = tensor.reshape(-1, *self.sizes[dims:])[self.cached]
                total = rows.sum(0, dtype=np.float64)
                self.sums[output] = self.sums.get(output, 0) + total
            case Store(output, value, is_waiting):
                given = self.buffers[self._key(value, Buffer.ROW)] if is_waiting else None
                self.memory.store(output, self.at, self.known[value] if given is None else given)

    def _let(self, value: Scalar, number: Any) -> None:
        self.known[value] = rounded(np.asarray(number), value.dtype)

    def _value_of(self, value: Scalar) -> Any:
        match value.op:
            case "load":
                return self.memory.load(value.payload, self.at)
            case "parameter":
                return number_of(self.parameters[value.payload], value.dtype)
            case "count":
                return prod(self.row_sizes)
            case "index":
                return self._index_in_row(self.at)
            case "position":
                dim = dict(self.layout.positions)[value.payload]
                return 0 if dim is None else self.at[dim]
            case "look_up":
                indices, guard = value.indices
                if guard is not None and not self.known[guard]:
                    return 0
                looked = [int(self.known[index]) for index in indices]
                return self.memory.load(value.payload, self.at, looked)
            case "length":
                table, dim = value.payload
                return self.memory.tensors[table].shape[dim]
        if value in self.calls:
            call = self.calls[value]
            return _FUNCTIONS[call.function](*[self.known[operand] for operand in call.operands])
        return computed(value, [self.known[operand] for operand in value.operands])

    def _accumulate(self, value: Scalar, of_block: bool) -> None:
        operand = self.known[value.operands[0]]
        if not value.op.startswith("arg"):
            wide = operand.astype(np.float64) if operand.dtype.kind == "f" else operand
            self._combine(value, wide, *(["block"] * of_block))
        elif len(value.operands) == 1:
            self._combine(value, (operand, self._index_in_row(self.at)))
        elif operand != operand or operand == self.known[value.operands[1]]:
            # one operand is what the greatest or least is: of equal ones the first is wanted
            self._combine(value, (self.known[value.operands[1]], self._index_in_row(self.at)))

    def _combine(self, value: Scalar, found: Any, *of_block: str) -> None:
        """Combine an accumulator with one element, or with what is known of some."""
        key = (value, self.row, *of_block)
        self.totals[key] = combined(value.op, self.totals[key], found)

    def _block(self, value: Scalar, buffer: Buffer | None) -> Iterator[Array]:
        """Yield the elements of a block of the summed value."""
        operand = value.operands[0]
        source = operand if buffer is Buffer.KEPT else value
        for _ in self._over_indices(self.layout.rank - 1, self.columns):
            if buffer is None:
                yield self.memory.load(operand.payload, self.at)
            else:
                yield self.buffers[self._key(source, buffer)]

    def _scan(self, value: Scalar) -> None:
        for row in [self.row] if self.in_row else range(len(self.rows)):
            keys = [(Buffer.KEPT, value, row, index) for index in range(prod(self.row_sizes))]
            result = scanned(value, np.array([self.buffers[key] for key in keys]))
            self.buffers.update(zip(keys, result, strict=True))

    # ---- Where things are ----------------------------------------------------------------------

    def _elements(self) -> Iterator[dict[int, int]]:
        """Yield the indices of the elements of a chunk."""
        return (dict(self.at) for _ in self._over_indices(self.layout.rank - 1, self.columns))

    def _index_in_row(self, at: Indices) -> int:
        inner = range(self.layout.outer, self.layout.rank)
        return int(np.ravel_multi_index([at[dim] for dim in inner], self.row_sizes))

    def _key(self, value: Scalar, buffer: Buffer) -> tuple[Any, ...]:
        match buffer:
            case Buffer.ROW:
                return buffer, value, self.row
            case Buffer.KEPT:
                at = self.memory.indices(value, self.at)
                return buffer, value, self.row, self._index_in_row(at)
            case Buffer.REGISTERS | Buffer.SHARED:
                return buffer, value, self.row, self._index_in_row(self.at)
            case Buffer.BLOCK:
                return buffer, value, self.row, self.at[self.layout.rank - 1]
