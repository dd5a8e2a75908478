"""How a kernel is laid out over threads: what its CUDA text fixes beyond the `Layout`.

Threads take chunks of neighbouring columns (elements of the last dimension), so that memory is
read and written 16 bytes at a time. A kernel that reduces gives each row to some threads:

    columns of float32      threads to a row        chunks of each thread
    up to 128               1, 2, 4, ... 32         1
    up to 512               32, a warp              up to 4        (kept in registers)
    up to 16384             128 to 1024, a block    up to 4        (kept in registers)
    more                    512, a block            any number     (computed again in each walk)

Where there are few very long rows, and one walk is enough, each row is shared by several blocks
(`Form.splits`). Where rows are scanned, each is a warp's.
"""

from __future__ import annotations

from math import prod

from minits.kernels.cuda.cuda_printer.walks import can_split, kept_values
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout, Stride
from minits.records import dataclass

BLOCK = 256
"""Threads of a block, where a row does not need more."""
MOST_KEPT = 64
"""32-bit registers of a thread that may hold what later walks over a row need."""
MOST_STEPS = 4
_WARP = 32
_LARGEST_BLOCK = 1024
_LONG_ROW_BLOCK = 512
_FEW_ROWS = 128
"""So few blocks do not keep a large GPU busy."""
_MOST_PARTS = 1024


@dataclass(frozen=True, slots=True)
class Form:
    """`wide`: indices have 64 bits, not 32.

    `threads` share a row: a power of two up to 32, or a multiple of 32 up to 1024 (a block).
    `steps` is the number of chunks of a row that each thread has; FULL values that later walks use
    stay in registers. 0: rows of any length; such values are computed again.
    `splits`: blocks have parts of rows, and a second function combines what they find.
    """

    wide: bool = False
    threads: int = _WARP
    steps: int = 0
    splits: bool = False

    @property
    def block(self) -> int:
        """Threads of a block."""
        return max(BLOCK, self.threads) if self.threads <= _WARP else self.threads

    @property
    def rows(self) -> int:
        """Rows that a block has at once."""
        return self.block // self.threads


def chunk_of(kernel: Kernel, layout: Layout) -> int:
    """Return how many neighbouring columns a thread takes at once: 16 bytes of the smallest dtype.

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


def form_for(kernel: Kernel, layout: Layout, sizes: tuple[int, ...], extent: int) -> Form:
    """Return the form of a launch.

    `extent` is the number of elements of the domain, or the reach in elements of the tensor that
    reaches furthest, if that is more.
    """
    # An index may run past the end by one stride of the grid, unsigned: hence one bit less.
    wide = extent >= 1 << 31
    if not layout.inner:
        return Form(wide)
    chunk = chunk_of(kernel, layout)
    inner = sizes[layout.outer :]
    chunks = prod(inner[:-1]) * -(-inner[-1] // chunk)
    if kernel.scans:
        return Form(wide)
    if chunks <= _WARP:
        return Form(wide, 1 << max(0, chunks - 1).bit_length(), 1)
    registers = sum(max(1, value.dtype.itemsize // 4) for value in kept_values(kernel)) * chunk
    most = min(MOST_STEPS, MOST_KEPT // max(registers, 1))
    threads = _WARP
    while threads <= _LARGEST_BLOCK:
        steps = -(-chunks // threads)
        if steps <= most:
            return Form(wide, threads, steps)
        threads = max(threads * 2, 128)
    is_worth_it = prod(sizes[: layout.outer]) <= _FEW_ROWS and can_split(kernel)
    return Form(wide, _LONG_ROW_BLOCK, 0, splits=is_worth_it)


def parts_of(form: Form, kernel: Kernel, layout: Layout, sizes: tuple[int, ...]) -> int:
    """Return how many blocks share a row: each of their threads has a few chunks."""
    rows = max(1, prod(sizes[: layout.outer]))
    chunks = prod(sizes[layout.outer :]) // chunk_of(kernel, layout)
    return max(1, min(chunks // (form.threads * MOST_STEPS), _MOST_PARTS // rows))
