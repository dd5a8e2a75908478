"""The text of a kernel's function, and of what functions need.

    int NAME(const void *in0, ..., void *out0, ..., const long long *g, double p0, ...,
             int threads)

`g` holds the sizes of the merged dimensions, the strides of each input and each output along them,
and the offset of each input, in elements. The work is cut into tasks: rows of the last dimension
(or stretches of it, where it is long) for kernels that reduce nothing, else rows that are reduced.
A function of its own does a range of tasks; threads share them. Both return 0, 1 if there is no
memory for what is kept of a long row, or 2 if a check failed (`checked`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from minits.kernels.cpu.c_math import c_prelude
from minits.kernels.cpu.c_printer import parameters
from minits.kernels.cpu.c_printer.column_sums import print_column_sums
from minits.kernels.cpu.c_printer.elementwise import Elementwise, ShortElementwise
from minits.kernels.cpu.c_printer.rare import print_choice, rare_dtypes
from minits.kernels.cpu.c_printer.rows import Rows
from minits.kernels.cpu.c_printer.short_rows import ShortRows
from minits.kernels.cpu.c_printer.texts import exponent_parameter
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout

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
_SQUARE = 2.0
"""A parameter that is an exponent is compared with this once a call. Loops are compiled for it:
`mts_pow_by_number` of an exponent that gcc knows is a product."""
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
    writer = _writer(kernel, layout, is_short)
    outputs = [f"out{i}" for i in range(len(kernel.outputs))]
    given = [*parameters.views(kernel, layout), *outputs, "g", *parameters.names(kernel)]
    signature = f"({parameters.typed(kernel, 'long long begin', 'long long end')})"
    text = (
        f"{_tasks(kernel, layout, is_short, name, signature)}\n"
        f"int {name}({parameters.untyped(kernel, 'int threads')})\n{{\n"
        f"    const long long tasks = {writer.tasks()};\n"
        + _RUN.format(name=name, given=", ".join(given))
    )
    if sums:
        text += f"\n{print_column_sums(kernel, layout, name, writer.tasks(), sums)}"
    return text


def _writer(
    kernel: Kernel, layout: Layout, is_short: bool, takes_all: bool = False
) -> Rows | Elementwise:
    if layout.inner:
        return (ShortRows if is_short else Rows)(kernel, layout, takes_all)
    return (ShortElementwise if is_short else Elementwise)(kernel, layout, takes_all)


def _tasks(kernel: Kernel, layout: Layout, is_short: bool, name: str, signature: str) -> str:
    """Return the function that does a range of tasks."""
    body = _writer(kernel, layout, is_short).text()
    if not rare_dtypes(kernel):
        return _loops(kernel, f"{name}_tasks", signature, body)
    usual, all = f"{name}_usual", f"{name}_all"
    text = _writer(kernel, layout, is_short, takes_all=True).text()
    choice = print_choice(f"{name}_tasks", signature, _names(signature)[:-2], layout, usual, all)
    return "\n".join(
        [_loops(kernel, usual, signature, body), _loops(kernel, all, signature, text), choice]
    )


def _loops(kernel: Kernel, name: str, signature: str, body: str) -> str:
    """Return a function with this body, which is compiled once more for a usual exponent."""
    exponent = _exponent(kernel)
    if exponent is None:
        return f"static int {name}{signature}\n{{\n{body}}}\n"
    names = _names(signature)
    given = [str(_SQUARE) if word == exponent else word for word in names]
    calls = f"    if ({exponent} == {_SQUARE}) {{\n"
    calls += f"        return {name}_loops({', '.join(given)});\n    }}\n"
    calls += f"    return {name}_loops({', '.join(names)});\n"
    return (
        f"MTS_INLINE int {name}_loops{signature}\n{{\n{body}}}\n\n"
        f"static int {name}{signature}\n{{\n{calls}}}\n"
    )


def _names(signature: str) -> list[str]:
    """Return the names of a function's parameters."""
    return [word.split()[-1].lstrip("*") for word in signature.strip("()").split(",")]


def _exponent(kernel: Kernel) -> str | None:
    """Return the parameter that is the exponent of floating-point powers, if there is just one."""
    powers = [v for v in kernel.values if v.op == "pow" and v.dtype.is_floating_point]
    found = {exponent_parameter(power) for power in powers} - {None}
    return f"p{found.pop()}" if len(found) == 1 else None
