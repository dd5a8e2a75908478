"""Sums over the rows of what a kernel writes, while these are in the cache.

    x, bias -> y = gelu(x + bias)        gradient of bias [H]: that of x [B, S, H], summed over B, S

The rows of a kernel are computed some at a time and added to totals, of which each thread has its
own. What is wanted for its sums alone is never written to memory as a whole:

    for each group of rows with 2048 elements, shared by threads:
        for each stretch of 8192 columns of a row, shared by threads:
            ...
            output 0 = v7
        columns of output 0 += sum over the group's rows
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import torch

from minits.kernels.ir.layout import Layout
from minits.kernels.schedule.cpu import STRETCH
from minits.kernels.schedule.loops import For, Over, Schedule, SumColumns
from minits.kernels.schedule.short_rows import has_short_rows
from minits.records import replace

_CACHED = 2048
"""Elements of an output that are computed before they are summed."""
_MOST_COLUMNS = 1 << 16


def column_count(
    layout: Layout, sizes: Sequence[int], strides: Sequence[int], dtype: torch.dtype
) -> int | None:
    """Return the number of sums of an output over all but the dimensions of its rows.

    `sizes` are those of the merged dimensions, `strides` the output's along them, in elements. None
    where the kernel's tasks are not such rows, one after the other in memory.
    """
    if dtype not in (torch.float32, torch.float64) or has_short_rows(layout, sizes):
        return None
    count = prod(sizes[layout.row_dims :])
    if count > _MOST_COLUMNS or (not layout.inner and count > STRETCH):
        return None
    step = 1
    for size, stride in zip(reversed(sizes), reversed(strides), strict=True):
        if size != 1 and stride != step:
            return None
        step *= size
    return count


def with_column_sums(schedule: Schedule, sums: Sequence[tuple[int, bool]]) -> Schedule:
    """Return the loops that sum some outputs, too; for each: whether it is wanted itself."""
    statements = [SumColumns(output, is_kept) for output, is_kept in sums]
    return replace(schedule, loop=For(Over.CACHED_ROWS, (schedule.loop, *statements), _CACHED))
