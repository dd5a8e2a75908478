"""Making rows: from a text in C to one in CUDA.

C has no overloading, and kernels include no headers: `mts_exp_{T}({0})` calls the function for the
dtype from `minits.kernels.cpu.c_math`. CUDA has overloaded functions of its own, so that text
becomes `exp({0})`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from minits.kernels.scalar_ops.row import Derivative, DtypeRule, ScalarOp, StridesOf
from minits.records import replace

Texts = str | dict[str, str]

_BUILTINS = {
    "({t})__builtin_fabs(": "fabs(",
    "({t})__builtin_sqrt(": "sqrt(",
    "({t})__builtin_copysign(": "copysign(",
    "__builtin_isinf(": "isinf(",
    "__builtin_isfinite(": "isfinite(",
    "__builtin_signbit(": "signbit(",
}
"""gcc's functions, which it compiles to single instructions of the float type asked for."""


def with_cuda_texts(rows: Iterable[ScalarOp]) -> dict[str, ScalarOp]:
    """Return the table of these rows, by name, with the CUDA texts that follow from those in C."""
    rows = list(rows)
    names = {row.name: f"mts_any_{row.name}_{{T}}" for row in rows if row.has_rare_operands}
    names |= {row.name: row.cuda_name for row in rows if row.cuda_name is not None}
    return {
        row.name: replace(row, cuda={
            kind: row.cuda.get(kind, _cuda_text(text, names) if kind == "f" else text)
            for kind, text in row.c.items()
        })
        for row in rows
    }  # fmt: skip


def _cuda_text(text: str, names: Mapping[str, str]) -> str:
    """Return the CUDA text that says what a C text says of floating operands.

    `names` are CUDA's, of the functions of `c_math` that are called otherwise there.
    """
    for builtin, name in _BUILTINS.items():
        text = text.replace(builtin, name)

    def own(match: re.Match[str]) -> str:
        return names.get(match[1], match[0].removesuffix("(")) + "("

    return re.sub(r"mts_(\w+?)_\{T\}\(", own, text)


def scalar_op(
    name: str,
    arity: int,
    numpy: Callable[..., Any],
    c: Texts,
    derivative: Derivative | None = None,
    *,
    aten: str | None = "aten::",
    cuda: dict[str, str] | str | None = None,
    result: str = "same",
    like: int = 0,
    cost: int = 1,
    dtypes: DtypeRule | None = None,
    strides: StridesOf = "loop",
    aliases: tuple[str, ...] = (),
    dunder: str | None = None,
    has_rare_operands: bool = False,
    is_exact: bool = False,
) -> ScalarOp:
    """Make a row.

    `c` is the text for floating operands, or texts by kinds (`{"fi": ...}`: the same for floating
    and integer operands). `cuda` is what CUDA calls the function, if it has it, or the texts, by
    kind, that differ by more than names. `aten` is the operator's name unless it is `aten::` and
    the row's.
    """
    by_kinds = {"f": c} if isinstance(c, str) else c
    texts = {kind: text for kinds, text in by_kinds.items() for kind in kinds}
    own_name = cuda if isinstance(cuda, str) else None
    own_texts = cuda if isinstance(cuda, dict) else {}
    operator = f"aten::{name}" if aten == "aten::" else aten
    return ScalarOp(
        name, arity, numpy, texts, own_texts, operator, derivative, result, like, cost, dtypes,
        strides, aliases, dunder, own_name, has_rare_operands, is_exact,
    )  # fmt: skip
