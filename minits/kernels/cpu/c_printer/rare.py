"""Rare operands (`schedule.usual`), in C: the choice between two versions of the same loops.

The version for usual operands notes whether it has met others; `print_choice` looks at that:

    for (i = ...) { v1 = mts_sin_f64(v0); rare_f64 |= mts_rare_sin_f64(v0); ... }
    if (rare_f64) return 4;
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.kernels.cpu.c_printer.loops import RARE
from minits.kernels.ir.layout import Layout
from minits.kernels.schedule.usual import AT_ONCE


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
