"""The loop IR: in which order a kernel's values are computed, and what waits in memory meanwhile.

A `Kernel` says what is computed at each index. A `Schedule` adds the loops around that, what is
computed in which of them, and what is kept between two of them. For the softmax of a row on a CPU,
as `minits.kernels.schedule.printing` has it:

    for each tile of 16 rows, or 1024 elements, shared by threads:    For(Over.TILES)
        locate rows in input 0, output 0                              Locate((0, 1), ())
        # sweep 0                                                     Section(0)
        for each row:                                                 For(Over.ROWS)
            point to input 0[i0], output 0[i0]                        Point((0, 1), 1)
            total.v3 = max()                                          Start(v3)
            for each column, in vectors:                              For(Over.COLUMNS)
                v0 = load 0                                           Let(v0)
                v2 = div(v0, 8.0)                                     Let(v2)
                total.v3 = max(total.v3, v2)                          Accumulate(v3)
            v3 = total.v3                                             Finish(v3)
            row.v3 = v3                                               Write(v3, Buffer.ROW)
        # sweep 1
        ...

The printers (`kernels.cpu.c_printer`, `kernels.cuda.cuda_printer`) say how each loop and each
statement is written; they decide nothing. `kernels.schedule.evaluate` says what a schedule means.

Loops run over the merged dimensions of a `Layout`. The last of them are the *columns*. The *rows*
are its outer dimensions; a kernel that reduces nothing has the elements of all dimensions but the
last as rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from minits.kernels.ir.kernel import Kernel, Scalar
from minits.kernels.ir.layout import Layout
from minits.kernels.schedule.selection import Call
from minits.kernels.schedule.usual import Usual
from minits.records import dataclass, field


class Over(Enum):
    """The range of a loop; the values are its text."""

    STRETCHES = "stretch of {step} columns of a row"
    """A row and some of its columns, `step` at most."""
    TILES = "tile of {rows} rows, or {step} elements"
    """Some rows: `rows` at most, with `step` elements together at most; one row if that is long."""
    NEIGHBOURS = "group of {step} neighbouring rows"
    """`step` rows at most, which differ only in the index along the last dimension of rows."""
    CACHED_ROWS = "group of rows with {step} elements"
    """Rows with `step` elements together, or one. The body is a loop over these rows that is one of
    the above, then what sums over them."""
    LONE_ROWS = "row by itself"
    """One row, which some threads of a GPU share."""
    PARTS = "part of a row"
    """One row and some of its chunks: a later loop combines what the parts of a row leave."""

    ROWS = "row"
    """The rows of a tile, or neighbours."""
    DIM = "index along dimension {dim}"
    """One dimension of a row that is not the last one."""
    BLOCKS = "block of {step} columns"
    """`step` columns at most."""
    CHUNKS = "chunk of {step} columns"
    """`step` columns at most, and the indices of the other dimensions of a row: all of a row or of
    a part of it; of all rows, if this is the outermost loop. Threads share them."""
    FIRST_CHUNKS = "chunk of {step} columns, of the first of the row"
    """Those of a row's chunks for which values may wait in registers."""
    OTHER_CHUNKS = "chunk of {step} columns, of the others of the row"
    COLUMNS = "column"
    """The columns of the stretch, of the block or of the chunk, or all."""
    FOUND = "part of the row"
    """The elements of the row behind the loop over PARTS."""

    @property
    def is_shared(self) -> bool:
        """Return whether threads share the iterations, which do not depend on each other."""
        return self not in (Over.ROWS, Over.DIM, Over.BLOCKS, Over.COLUMNS, Over.FOUND)


class Buffer(Enum):
    """The memory in which a value waits for a later loop."""

    ROW = "row"
    """A number for each row of a tile or of neighbours."""
    KEPT = "kept"
    """A number for each element of these rows. A scan is made of such numbers in place."""
    BLOCK = "block"
    """A number for each column of a block."""
    REGISTERS = "registers"
    """A number for each element of the chunks that a thread has of a row."""
    SHARED = "shared"
    """The same, in memory that the threads of a block share."""


@dataclass(frozen=True, slots=True)
class For:
    """A loop. The iterations of one `in_vectors` depend on each other by reductions alone."""

    over: Over
    body: tuple[Statement, ...]
    step: int = 1
    dim: int | None = None
    in_vectors: bool = False
    rows: int = 1

    def rows_of_tile(self, count: int) -> int:
        """Return the number of rows in a tile, where a row has `count` elements."""
        return min(self.rows, max(1, self.step // count))


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a task: a sweep over its rows, or (None) what comes after all of them."""

    sweep: int | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """Point to where some tensors, and the buffers of values that are KEPT, begin for a row.

    That is at the indices of the first `dims` dimensions, which the loops around give; loads and
    stores add those of the others. A loop over a DIM has pointers of its own. Outputs are numbered
    after the inputs.
    """

    tensors: tuple[int, ...]
    dims: int
    kept: tuple[Scalar, ...] = ()


@dataclass(frozen=True, slots=True)
class Locate:
    """Work out where each row of a tile begins in some tensors, once for all sweeps over them.

    The indices of the rows along some dimensions are noted, too.
    """

    tensors: tuple[int, ...]
    dims: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReadChunk:
    """Read a chunk of an input at once: loads take its elements."""

    input: int


@dataclass(frozen=True, slots=True)
class WriteChunk:
    """Write a chunk of an output at once: stores have made its elements."""

    output: int


@dataclass(frozen=True, slots=True)
class Let:
    """Compute a value of its operands; a load reads its input at the indices of the loops."""

    value: Scalar


@dataclass(frozen=True, slots=True)
class Read:
    """Take a value from where it waits."""

    value: Scalar
    buffer: Buffer


@dataclass(frozen=True, slots=True)
class Write:
    """Write a value to a buffer where it waits; of a scan (KEPT) or a sum (BLOCK), the operand."""

    value: Scalar
    buffer: Buffer

    @property
    def written(self) -> Scalar:
        """The value itself, or the operand of the scan or sum."""
        is_own = self.buffer is Buffer.ROW or not (self.value.is_scan or self.value.is_reduction)
        return self.value if is_own else self.value.operands[0]


@dataclass(frozen=True, slots=True)
class Start:
    """Set an accumulator to the reduction of no elements: 0 for a sum."""

    value: Scalar


@dataclass(frozen=True, slots=True)
class Accumulate:
    """Combine the accumulator of a reduction, or that `of_block`, with its operand.

    Sums of floats are accumulated a block at a time: so small elements are not lost in large sums.
    """

    value: Scalar
    of_block: bool = False


@dataclass(frozen=True, slots=True)
class AddBlock:
    """Add the accumulator of a block to that of the sum, and let it be zero again."""

    value: Scalar


@dataclass(frozen=True, slots=True)
class SumBlock:
    """Add the elements of a block to the accumulator of a sum.

    These were written (BLOCK), or are those of the operand, which is KEPT, or loaded (None).
    """

    value: Scalar
    buffer: Buffer | None


@dataclass(frozen=True, slots=True)
class EndOfBlock:
    """Statements of a loop over columns after every `step` of them, and after the last."""

    step: int
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Finish:
    """Set the value of a reduction to that of its accumulator."""

    value: Scalar


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave an accumulator of a part of a row for the loop that combines them."""

    value: Scalar


@dataclass(frozen=True, slots=True)
class Combine:
    """Combine the accumulator of a reduction with that of a part."""

    value: Scalar


@dataclass(frozen=True, slots=True)
class Scan:
    """Scan what is kept of a row, or of all rows at once: where there is no row at hand."""

    value: Scalar


@dataclass(frozen=True, slots=True)
class Store:
    """Write a value to an output of the kernel, at the indices of the loops.

    A value of a row is taken from where it waits if it `is_waiting`.
    """

    output: int
    value: Scalar
    is_waiting: bool = False


@dataclass(frozen=True, slots=True)
class SumColumns:
    """Add the rows of an output to a total for each of their elements; threads have their own.

    The output itself is wanted only if it `is_kept`.
    """

    output: int
    is_kept: bool


Statement = (
    For | Section | Locate | Point | ReadChunk | WriteChunk | Let | Read | Write | Start
    | Accumulate | AddBlock | SumBlock | EndOfBlock | Finish | Leave | Combine | Scan | Store
    | SumColumns
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Schedule:
    """The loops of a kernel.

    `once` are the values that are the same for the whole launch. `near`: rows of no more columns
    are kept in memory that is close by (on the stack), those of longer ones elsewhere. Where `loop`
    runs over PARTS, `combination` is to run after it. `usual` is what the loops assume of operands:
    other operands are computed by a second version of the same loops. `calls` are selected for the
    values that a function computes faster than their operations.
    """

    kernel: Kernel
    layout: Layout
    once: tuple[Scalar, ...]
    loop: For
    near: int = 0
    combination: For | None = None
    usual: Usual = Usual()
    calls: Mapping[Scalar, Call] = field(default_factory=dict)

    @property
    def loops(self) -> tuple[For, ...]:
        return (self.loop,) if self.combination is None else (self.loop, self.combination)

    @property
    def block(self) -> int:
        """Return the columns of a block, or 0 if none are summed a block at a time."""
        steps = [s.step for s in self.statements() if isinstance(s, For) and s.over is Over.BLOCKS]
        return max(steps, default=0)

    def statements(self) -> Iterator[Statement]:
        """Yield the statements of all loops, outer ones first."""
        return statements_of(self.loops)

    def written(self, buffer: Buffer) -> list[Scalar]:
        """Return the values that are written to a kind of buffer, in the order of the loops."""
        writes = [s for s in self.statements() if isinstance(s, Write) and s.buffer is buffer]
        return list(dict.fromkeys([write.value for write in writes]))


def statements_of(body: Iterable[Statement]) -> Iterator[Statement]:
    """Yield statements, and after each those that are within it."""
    for statement in body:
        yield statement
        if isinstance(statement, For | Section | EndOfBlock):
            yield from statements_of(statement.body)


def pointers(
    kernel: Kernel, values: Iterable[Scalar], dims: int, kept: Iterable[Scalar] = ()
) -> Point:
    """Return pointers to what some values are read from, and to all outputs."""
    read = {value.payload for value in values if value.is_read}
    first = len(kernel.inputs)
    outputs = range(first, first + len(kernel.outputs))
    return Point((*sorted(read), *outputs), dims, tuple(kept))
