"""The loops of a kernel on a GPU, and how they are laid out over its threads.

Threads take chunks of neighbouring columns (elements of the last dimension), so that memory is
read and written 16 bytes at a time. A kernel that reduces gives each row to some threads:

    columns of float32      threads to a row        chunks of each thread
    up to 128               1, 2, 4, ... 32         1
    up to 512               32, a warp              up to 4        (kept in registers)
    up to 16384             128 to 1024, a block    up to 4        (kept in registers)
    up to 32768             1024, a block           up to 8        (kept in registers)
    up to 90112             1024, a block           up to 22       (8 in registers, the others in
                                                                   memory that the block shares)
    up to 131072            1024, a block           any number     (8 in registers, the others are
                                                                   computed again in each sweep)
    more                    512, a block            any number     (computed again in each sweep)

How much memory a block may share depends on the device. What is computed again is read again, from
the L2 cache where it still is.

Where there are few very long rows, and one sweep is enough, each row is shared by several blocks
(`Form.splits`): they leave what they find, and a second loop combines it. Where rows are scanned,
each is a warp's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from minits.kernels.ir.kernel import Kernel, Level, Scalar, stages
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.scalar_ops.row import computed_in
from minits.kernels.schedule.loops import (
    Accumulate,
    Buffer,
    Combine,
    Finish,
    For,
    Leave,
    Let,
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
    Write,
    WriteChunk,
    pointers,
)
from minits.kernels.schedule.quick import quick_calls
from minits.kernels.schedule.sweeps import Sweep
from minits.kernels.schedule.uniform import uniform_values
from minits.kernels.schedule.waiting import cuda_sweeps, most_words
from minits.records import dataclass, replace

BLOCK = 256
"""Threads of a block, where a row does not need more."""
MOST_KEPT = 32
"""32-bit registers of a thread that may hold what later sweeps over a row need."""
MOST_STEPS = 4
"""Chunks of a row that a thread has where more threads can have the others."""
_STEPS_OF_LONG_ROWS = 8
_FOR_REDUCTIONS = 4096
"""Bytes of shared memory, at most, in which the warps of a block leave what they found."""
_READ_AGAIN = 4
"""Rows of up to so many times the chunks that are kept keep the first of them."""
_WARP = 32
_LARGEST_BLOCK = 1024
_LONG_ROW_BLOCK = 512
_FEW_ROWS = 128
"""So few blocks do not keep a large GPU busy."""
_MOST_PARTS = 1024


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a text: all that it fixes beyond the `Layout`.

    `wide`: indices have 64 bits, not 32.
    `threads` share a row: a power of two up to 32, or a multiple of 32 up to 1024 (a block).
    `steps` is the number of chunks of a row that each thread has; FULL values that later sweeps use
    stay in registers. 0: rows of any length; such values are computed again.
    `splits`: blocks have parts of rows, and a second function combines what they find.
    `even`: the last dimension has whole chunks alone, and they begin at multiples of 16 bytes, or
    of their own length where that is less.
    `goes_on`: a row has more chunks than `threads * steps`: `shared` times the threads, for which
    values wait in memory that the block shares, or any number (0), for which they are computed
    again.
    `full`: no row ends among these, so that each thread has as many chunks.
    """

    wide: bool = False
    threads: int = _WARP
    steps: int = 0
    splits: bool = False
    even: bool = False
    full: bool = False
    goes_on: bool = False
    shared: int = 0

    @property
    def block(self) -> int:
        """Threads of a block."""
        return max(BLOCK, self.threads) if self.threads <= _WARP else self.threads

    @property
    def rows(self) -> int:
        """Rows that a block has at once."""
        return self.block // self.threads


def chunk_of(kernel: Kernel, layout: Layout) -> int:
    """Return the number of columns that a thread takes at once: 16 bytes of the smallest dtype.

    At least 2 and at most 8; one where no tensor has neighbouring columns side by side in memory.
    """
    sizes = [
        given.dtype.itemsize
        for given, strides in zip(kernel.inputs, layout.inputs, strict=True)
        if strides[-1] is Stride.UNIT
    ] + [
        output.value.dtype.itemsize
        for output, strides in zip(kernel.outputs, layout.outputs, strict=True)
        if strides[-1] is Stride.UNIT
    ]
    return min(8, max(2, 16 // min(sizes))) if sizes else 1


def form_for(
    kernel: Kernel,
    layout: Layout,
    sizes: tuple[int, ...],
    extent: int,
    even: bool = False,
    shared_memory: int = 0,
) -> Form:
    """Return the form of a launch.

    `extent` is the number of elements of the domain, or the reach in elements of the tensor that
    reaches furthest, if that is more. `even` tells what `Form.even` does. `shared_memory` is the
    number of bytes that a block may have of it.
    """
    # An index may run past the end by one stride of the grid, unsigned: hence one bit less.
    wide = extent >= 1 << 31
    if not layout.inner:
        return Form(wide, even=even)
    chunk = chunk_of(kernel, layout)
    inner = sizes[layout.outer :]
    chunks = prod(inner[:-1]) * -(-inner[-1] // chunk)
    if kernel.scans:
        return Form(wide, even=even)
    if chunks <= _WARP:
        threads = 1 << max(0, chunks - 1).bit_length()
        return Form(wide, threads, 1, even=even, full=chunks == threads)
    words = most_words(kernel)
    kept = MOST_KEPT // max(1, words * chunk)
    most = min(MOST_STEPS, kept)
    threads = _WARP
    while threads <= _LARGEST_BLOCK:
        steps = -(-chunks // threads)
        if steps <= most:
            return Form(wide, threads, steps, even=even, full=chunks == threads * steps)
        threads = max(threads * 2, 128)
    if words:
        form = _long_rows(kernel, layout, chunks, min(_STEPS_OF_LONG_ROWS, kept), shared_memory)
        if form is not None:
            return replace(form, wide=wide, even=even)
    is_worth_it = prod(sizes[: layout.outer]) <= _FEW_ROWS and can_split(kernel)
    return Form(wide, _LONG_ROW_BLOCK, 0, splits=is_worth_it, even=even)


def _long_rows(
    kernel: Kernel, layout: Layout, chunks: int, most: int, shared_memory: int
) -> Form | None:
    """Return the form for rows that a block keeps, or the first `most` chunks of each thread."""
    threads = _LARGEST_BLOCK
    steps = -(-chunks // threads)
    full = chunks == threads * steps
    if steps <= most:
        return Form(threads=threads, steps=steps, full=full)
    form = Form(threads=threads, steps=most, full=full, goes_on=True, shared=steps - most)
    if shared_bytes(form, kernel, layout) + _FOR_REDUCTIONS <= shared_memory:
        return form
    return replace(form, full=False, shared=0) if steps <= most * _READ_AGAIN else None


def shared_bytes(form: Form, kernel: Kernel, layout: Layout) -> int:
    """Return the bytes of a block's memory in which values wait."""
    if not form.shared:
        return 0
    return form.shared * form.threads * chunk_of(kernel, layout) * 4 * most_words(kernel)


def parts_of(form: Form, kernel: Kernel, layout: Layout, sizes: tuple[int, ...]) -> int:
    """Return the number of blocks that share a row: each of their threads has a few chunks."""
    rows = max(1, prod(sizes[: layout.outer]))
    chunks = prod(sizes[layout.outer :]) // chunk_of(kernel, layout)
    return max(1, min(chunks // (form.threads * MOST_STEPS), _MOST_PARTS // rows))


# ---- Loops -------------------------------------------------------------------------------------


def schedule_for_cuda(kernel: Kernel, layout: Layout, form: Form) -> Schedule:
    """Return the loops for a layout, laid out over threads as a form says."""
    schedule = _Rows(kernel, layout, form).schedule() if layout.inner else _flat(kernel, layout)
    return replace(schedule, calls=quick_calls(kernel))


def _flat(kernel: Kernel, layout: Layout) -> Schedule:
    """Return the loop over all elements, of which none are reduced or scanned."""
    once, chunk = uniform_values(kernel), chunk_of(kernel, layout)
    full = [Let(value) for value in kernel.values if value.level is Level.FULL]
    stores = [Store(index, output.value) for index, output in enumerate(kernel.outputs)]
    return Schedule(kernel, layout, tuple(once), _chunks([*full, *stores], chunk))


class _Rows:
    """Rows that are reduced or scanned: the sweeps over one row behind each other."""

    def __init__(self, kernel: Kernel, layout: Layout, form: Form) -> None:
        self.kernel = kernel
        self.layout = layout
        self.form = form
        self.once = uniform_values(kernel)
        self.sweeps = cuda_sweeps(kernel, keeps=form.steps > 0)
        self.later = cuda_sweeps(kernel, keeps=form.shared > 0) if form.goes_on else []
        self._stages = stages(kernel)

    def schedule(self) -> Schedule:
        if self.form.splits:
            return self._split()
        body: list[Statement] = [self._pointers()]
        for number, sweep in enumerate(self.sweeps):
            ends: list[Statement] = [*map(Finish, sweep.reductions), *map(Scan, sweep.scans)]
            body += self._lets_of(range(number, number + 1))
            body.append(self._sweep(number, sweep, ends))
        body += [*self._lets_of(range(len(self.sweeps), len(self._stages) + 1)), *self._stores()]
        loop = For(Over.LONE_ROWS, tuple(body))
        return Schedule(self.kernel, self.layout, tuple(self.once), loop)

    def _split(self) -> Schedule:
        """Return a loop over parts of rows, and one that combines what they leave."""
        (sweep,) = self.sweeps
        part = self._sweep(0, sweep, map(Leave, sweep.reductions))
        combination: list[Statement] = [
            self._pointers(),
            *map(Start, sweep.reductions),
            For(Over.FOUND, tuple(map(Combine, sweep.reductions))),
            *map(Finish, sweep.reductions),
            *self._lets_of(range(len(self._stages) + 1)),
            *self._stores(),
        ]
        return Schedule(
            self.kernel,
            self.layout,
            tuple(self.once),
            For(Over.PARTS, (self._pointers(), *self._lets_of(range(1)), part)),
            combination=For(Over.LONE_ROWS, tuple(combination)),
        )

    def _sweep(self, number: int, sweep: Sweep, ends: Iterable[Statement]) -> Section:
        chunk = chunk_of(self.kernel, self.layout)
        over = Over.FIRST_CHUNKS if self.later else Over.CHUNKS
        loops = [_chunks(self._columns(number, self.sweeps, Buffer.REGISTERS), chunk, over)]
        if self.later:
            columns = self._columns(number, self.later, Buffer.SHARED)
            loops.append(_chunks(columns, chunk, Over.OTHER_CHUNKS))
        return Section(number, (*map(Start, sweep.reductions), *loops, *ends))

    def _columns(self, number: int, sweeps: Sequence[Sweep], buffer: Buffer) -> list[Statement]:
        """Return the statements of one of the sweeps at each column; values wait in a buffer."""
        sweep = sweeps[number]
        earlier = [value for before in sweeps[:number] for value in before.kept]
        registers = [value for value in earlier if value in sweep.reread and not value.is_scan]
        scans = [value for value in sweep.reread if value.is_scan]
        kept = [value for value in sweep.kept if not value.is_scan]
        return [
            *[Read(value, buffer) for value in registers],
            *[Read(value, Buffer.KEPT) for value in scans],
            *map(Let, sweep.values),
            *[Write(value, buffer) for value in kept],
            *[Write(value, Buffer.KEPT) for value in sweep.scans],
            *map(Accumulate, sweep.reductions),
            *[Store(index, self.kernel.outputs[index].value) for index in sweep.outputs],
        ]

    def _pointers(self) -> Point:
        """Return the pointers to a row: of tensors, and of scans, those of large elements first."""
        scans = sorted(self.kernel.scans, key=_bytes, reverse=True)
        return pointers(self.kernel, self.kernel.values, self.layout.outer, scans)

    def _lets_of(self, numbers: Iterable[int]) -> list[Let]:
        """Return the values of a row that are known after so many sweeps, but for reductions."""
        return [
            Let(value)
            for value in self.kernel.values
            if value.level is Level.ROW
            and self._stages[value] in numbers
            and not (value.is_reduction or value.op == "constant" or value in self.once)
        ]

    def _stores(self) -> list[Store]:
        return [
            Store(index, output.value)
            for index, output in enumerate(self.kernel.outputs)
            if output.value.level is Level.ROW
        ]


def _chunks(columns: Iterable[Statement], step: int, over: Over = Over.CHUNKS) -> For:
    """Return the loop over chunks, which are read and written as a whole."""
    columns = tuple(columns)
    loads = [each.value for each in columns if isinstance(each, Let) and each.value.op == "load"]
    body: list[Statement] = [
        *[ReadChunk(value.payload) for value in loads],
        For(Over.COLUMNS, columns, in_vectors=True),
        *[WriteChunk(each.output) for each in columns if isinstance(each, Store)],
    ]
    return For(over, tuple(body), step)


def _bytes(value: Scalar) -> int:
    size: int = computed_in(value.dtype).itemsize
    return size


def workspace_bytes(kernel: Kernel) -> int:
    """Return the bytes of memory that the scans need for each index of the domain."""
    return sum(map(_bytes, kernel.scans))


def can_split(kernel: Kernel) -> bool:
    """Return whether one sweep does all, and nothing is written for each column."""
    is_full = any(output.value.level is Level.FULL for output in kernel.outputs)
    return not is_full and len(cuda_sweeps(kernel, keeps=False)) == 1
