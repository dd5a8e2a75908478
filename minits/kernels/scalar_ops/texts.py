"""Making rows: from a text in C to one in CUDA.

C has no overloading, and kernels include no headers: `mts_exp_{T}({0})` calls the function for the
dtype from `minits.kernels.cpu.c_math`. CUDA has overloaded functions of its own, so that text
becomes `exp({0})`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from minits.kernels.scalar_ops.row import Derivative, DtypeRule, ScalarOp

Texts = str | dict[str, str]

_OWN = (
    "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh "
    "atanh atan2 hypot pow erf erfc erfinv lgamma nextafter floor ceil trunc fmod fma"
)
CUDA_NAMES = {
    **{name: name for name in _OWN.split()},
    "round": "rint",
    "i0": "cyl_bessel_i0",
    "i1": "cyl_bessel_i1",
}
"""Functions that CUDA has for float and double, by the names that `c_math` gives them."""

WITH_RARE_OPERANDS = frozenset("sin cos tan sinc fmod remainder floor_divide lgamma".split())
"""Rows whose C function, `mts_NAME_{T}`, is right for usual floating operands only.

`mts_rare_NAME_{T}` tells of others, and `mts_any_NAME_{T}` takes them all."""

_BUILTINS = {
    "({t})__builtin_fabs(": "fabs(",
    "({t})__builtin_sqrt(": "sqrt(",
    "({t})__builtin_copysign(": "copysign(",
    "__builtin_isinf(": "isinf(",
    "__builtin_isfinite(": "isfinite(",
    "__builtin_signbit(": "signbit(",
}
"""gcc's functions, which it compiles to single instructions of the float type asked for."""


def cuda_text(text: str) -> str:
    """Return the CUDA text that says what a C text says of floating operands."""
    for builtin, name in _BUILTINS.items():
        text = text.replace(builtin, name)

    def own(match: re.Match[str]) -> str:
        if match[1] in WITH_RARE_OPERANDS - CUDA_NAMES.keys():
            return f"mts_any_{match[1]}_{{T}}("
        return CUDA_NAMES.get(match[1], match[0].removesuffix("(")) + "("

    return re.sub(r"mts_(\w+?)_\{T\}\(", own, text)


def scalar_op(
    name: str,
    arity: int,
    numpy: Callable[..., Any],
    c: Texts,
    derivative: Derivative | None = None,
    *,
    aten: str | None = "aten::",
    cuda: dict[str, str] | None = None,
    result: str = "same",
    like: int = 0,
    cost: int = 1,
    dtypes: DtypeRule | None = None,
    aliases: tuple[str, ...] = (),
) -> ScalarOp:
    """Make a row.

    `c` is the text for floating operands, or texts by kinds (`{"fi": ...}`: the same for floating
    and integer operands). `cuda` has the texts, by kind, that differ by more than names. `aten` is
    the operator's name unless it is `aten::` and the row's.
    """
    by_kinds = {"f": c} if isinstance(c, str) else c
    texts = {kind: text for kinds, text in by_kinds.items() for kind in kinds}
    translated = {
        kind: cuda_text(text) if kind == "f" else text for kind, text in texts.items()
    } | (cuda or {})
    operator = f"aten::{name}" if aten == "aten::" else aten
    return ScalarOp(
        name, arity, numpy, texts, translated, operator, derivative, result, like, cost, dtypes,
        aliases,
    )  # fmt: skip
