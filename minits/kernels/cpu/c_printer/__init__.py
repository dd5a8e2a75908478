"""Kernels as C: `print_c(kernel, layout, name)` gives the text of one function.

expressions begin here: constants, operations, casts and elements; how reductions and scans go on
loops       how each loop of a schedule is written
lanes       how loops over float16 are: a strip of elements at once
statements  how each statement in these loops is written
buffers     the sizes and buffers that are declared before them
function_body   the lines of a body, and what the files above share

Which loops there are is decided by `minits.kernels.schedule`. `task_functions` has the functions
around these loops, `c_math` those that a text calls, `arguments` the parameters.
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.kernels.cpu.c_printer.loops import LoopPrinter
from minits.kernels.cpu.task_functions import TaskFunctions, complete
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout
from minits.kernels.schedule.column_sums import with_column_sums
from minits.kernels.schedule.cpu import schedule_for_cpu

__all__ = ["complete", "print_c", "print_function"]


def print_c(kernel: Kernel, layout: Layout, name: str) -> str:
    """Return the C text of a kernel for a layout: a function of this name and all that it needs."""
    return complete(print_function(kernel, layout, name))


def print_function(
    kernel: Kernel,
    layout: Layout,
    name: str,
    is_short: bool = False,
    sums: Sequence[tuple[int, bool]] = (),
) -> str:
    """Return a function of this name for a layout, and functions that it calls.

    If `is_short`, the function is for rows of which `has_short_rows` is true, and fast for these.
    `sums` asks for the function `NAME_sums`, which takes a pointer for each sum as well: the
    number of an output, and whether that is wanted itself.
    """
    schedule = schedule_for_cpu(kernel, layout, is_short)
    body = LoopPrinter(schedule).body()
    for_all = LoopPrinter(schedule, takes_all=True).body() if schedule.usual.rare else None
    functions = TaskFunctions(schedule, name)
    texts = [*functions.tasks(body, for_all), functions.run()]
    if sums:
        texts += functions.sums(with_column_sums(schedule, sums))
    return "\n".join(texts)
