"""Rare operands: what loops do not branch for.

Some functions have vectors for usual operands only: angles up to a million, quotients that fit. A
kernel with such functions is printed twice: once for usual operands and once for all, which is
slow. The first notes whether it has met a rare one; then the rows of that task are computed again:

    for (i = ...) { v1 = mts_sin_f64(v0); rare_f64 |= mts_rare_sin_f64(v0); ... }
    if (rare_f64) return 4;

What a kernel writes is never what it reads, so it may be run twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.kernels.cpu.c_printer.loops import RARE
from minits.kernels.ir.layout import Layout

_AT_ONCE = 8192
"""Elements that are computed before it is looked whether any was rare."""


def print_choice(
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


_CHOICE = f"""\
static int {{name}}{{signature}}
{{{{
    const long long columns = {{columns}};
    const long long some = columns < {_AT_ONCE} ? {_AT_ONCE} / (columns + !columns) : 1;
    int failed = 0;
    for (long long first = begin; first < end && !failed; first += some) {{{{
        const long long past = first + some < end ? first + some : end;
        failed = {{usual}};
        failed = failed == {RARE} ? {{all}} : failed;
    }}}}
    return failed;
}}}}
"""
