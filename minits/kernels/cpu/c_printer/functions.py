"""The text of a kernel's function, and of what functions need.

    int NAME(const void *in0, ..., void *out0, ..., const long long *g, double p0, ...,
             int threads)

`g` holds the sizes of the merged dimensions, the strides of each input and each output along them,
and the offset of each input, in elements. The work is cut into tasks: rows of the last dimension
(or stretches of it, where it is long) for kernels that reduce nothing, else rows that are reduced.
A function of its own does a range of tasks; threads share them. Both return 0, 1 if there is no
memory for what is kept of a long row, or 2 if a check failed (`checked`).

Where operands may be rare (`schedule.usual`), there are two versions of the same loops. The one for
usual operands notes whether it has met others; the function that calls it looks at that:

    for (i = ...) { v1 = mts_sin_f64(v0); rare_f64 |= mts_rare_sin_f64(v0); ... }
    if (rare_f64) return 4;
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from minits.kernels.cpu.c_math import c_prelude
from minits.kernels.cpu.c_printer.addressing import (
    number_names,
    typed_parameters,
    untyped_parameters,
    view_addresses,
)
from minits.kernels.cpu.c_printer.column_sums import print_column_sums
from minits.kernels.cpu.c_printer.loops import RARE, Loops, Stretches
from minits.kernels.cpu.c_printer.neighbours import Neighbours
from minits.kernels.cpu.c_printer.tiles import Tiles
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout
from minits.kernels.schedule.column_sums import with_column_sums
from minits.kernels.schedule.cpu import schedule_for_cpu
from minits.kernels.schedule.loops import Over, Schedule
from minits.kernels.schedule.usual import AT_ONCE, EXPONENT

_HEAD = """\
typedef _Bool bool;
#define true 1
#define false 0
int omp_get_thread_num(void);
int omp_get_num_threads(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
"""
_RUN = """\
    if (threads <= 1) {{
        return {name}_tasks({given}, 0, tasks);
    }}
    int failed = 0;
    #pragma omp parallel num_threads(threads) reduction(|:failed)
    {{
        const long long team = omp_get_num_threads(), mine = omp_get_thread_num();
        failed = {name}_tasks({given}, tasks * mine / team, tasks * (mine + 1) / team);
    }}
    return failed;
}}
"""

_CHOICE = f"""\
static int {{name}}{{signature}}
{{{{
    const long long columns = {{columns}};
    const long long some = columns < {AT_ONCE} ? {AT_ONCE} / (columns + !columns) : 1;
    int failed = 0;
    for (long long first = begin; first < end && !failed; first += some) {{{{
        const long long past = first + some < end ? first + some : end;
        failed = {{usual}};
        failed = failed == {RARE} ? {{all}} : failed;
    }}}}
    return failed;
}}}}
"""


def print_c(kernel: Kernel, layout: Layout, name: str) -> str:
    """Return the C text of a kernel for a layout: a function of this name and all that it needs."""
    return complete(print_function(kernel, layout, name))


def complete(functions: str) -> str:
    """Return printed functions behind the declarations and definitions that they need."""
    names = sorted(set(re.findall(r"\bmts_\w+", functions)))
    return f"{_HEAD}\n{c_prelude(names)}\n{functions}"


def print_function(
    kernel: Kernel,
    layout: Layout,
    name: str,
    is_short: bool = False,
    sums: Sequence[tuple[int, bool]] = (),
) -> str:
    """Return a function of this name for a layout, and functions that it calls.

    If `is_short`, the function is for rows of which `has_short_rows` is true, and fast for these.
    `sums` asks for one more function: see `print_column_sums`.
    """
    schedule = schedule_for_cpu(kernel, layout, is_short)
    outputs = [f"out{i}" for i in range(len(kernel.outputs))]
    given = [*view_addresses(kernel, layout), *outputs, "g", *number_names(kernel)]
    signature = f"({typed_parameters(kernel, 'long long begin', 'long long end')})"
    tasks = _count_of_tasks(schedule)
    text = (
        f"{_tasks(schedule, name, signature)}\n"
        f"int {name}({untyped_parameters(kernel, 'int threads')})\n{{\n"
        f"    const long long tasks = {tasks};\n" + _RUN.format(name=name, given=", ".join(given))
    )
    if sums:
        text += f"\n{print_column_sums(with_column_sums(schedule, sums), name, tasks)}"
    return text


def _count_of_tasks(schedule: Schedule) -> str:
    """Return the expression of the number of tasks: rows, or rows times stretches of a row."""
    layout, loop = schedule.layout, schedule.loop
    rows = layout.row_dims
    counts = [f"g[{dim}]" for dim in range(rows)]
    if loop.over is Over.STRETCHES:
        counts.append(f"((g[{rows}] + {loop.step - 1}) / {loop.step})")
    return " * ".join(counts) or "1"


def _body(schedule: Schedule, takes_all: bool = False) -> str:
    writers: dict[Over, type[Loops]] = {
        Over.STRETCHES: Stretches, Over.TILES: Tiles, Over.NEIGHBOURS: Neighbours
    }  # fmt: skip
    return writers[schedule.loop.over](schedule, takes_all).text()


def _tasks(schedule: Schedule, name: str, signature: str) -> str:
    """Return the function that does a range of tasks."""
    body = _body(schedule)
    if not schedule.usual.rare:
        return _loops(schedule, f"{name}_tasks", signature, body)
    usual, all = f"{name}_usual", f"{name}_all"
    text = _body(schedule, takes_all=True)
    names = _names(signature)[:-2]
    choice = _choice(f"{name}_tasks", signature, names, schedule.layout, usual, all)
    return "\n".join(
        [_loops(schedule, usual, signature, body), _loops(schedule, all, signature, text), choice]
    )


def _choice(
    name: str, signature: str, given: Sequence[str], layout: Layout, usual: str, all: str
) -> str:
    """Return a function that calls `usual` for some tasks at a time, then `all` if it must.

    `given` are the parameters of all three, but for the two last: which tasks.
    """
    first = layout.row_dims
    columns = " * ".join([f"g[{dim}]" for dim in range(first, layout.rank)])
    call = f"({', '.join([*given, 'first', 'past'])})"
    return _CHOICE.format(
        name=name, signature=signature, columns=columns, usual=usual + call, all=all + call
    )


def _loops(schedule: Schedule, name: str, signature: str, body: str) -> str:
    """Return a function with this body, which is compiled once more for a usual exponent.

    Gcc makes products of powers whose exponent it knows (`mts_pow_by_number`).
    """
    if schedule.usual.exponent is None:
        return f"static int {name}{signature}\n{{\n{body}}}\n"
    exponent, names = f"p{schedule.usual.exponent}", _names(signature)
    given = [str(EXPONENT) if word == exponent else word for word in names]
    calls = f"    if ({exponent} == {EXPONENT}) {{\n"
    calls += f"        return {name}_loops({', '.join(given)});\n    }}\n"
    calls += f"    return {name}_loops({', '.join(names)});\n"
    return (
        f"MTS_INLINE int {name}_loops{signature}\n{{\n{body}}}\n\n"
        f"static int {name}{signature}\n{{\n{calls}}}\n"
    )


def _names(signature: str) -> list[str]:
    """Return the names of a function's parameters."""
    return [word.split()[-1].lstrip("*") for word in signature.strip("()").split(",")]
