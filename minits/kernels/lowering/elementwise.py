"""Operators that compute each element from those at the same index.

Most are one row of `SCALAR_OPS`; what differs is the dtype in which they compute:

    PLAIN       the promoted dtype                                       maximum, abs, mul
    FLOATING    the promoted dtype, the default one for integers         exp, /, atan2
    COMPARING   the promoted dtype; the result is bool                   <, isnan
    LOGICAL     bool, whatever is given                                  logical_and

In float16 and bfloat16, Python numbers of arithmetic are not rounded: `x * 0.1` is computed in
float32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from minits.kernels.kernel import Scalar
from minits.kernels.lowering.promotion import Operand, as_floating, result_type
from minits.kernels.lowering.row import At, Lowering
from minits.kernels.scalar_ops.row import computed_in

Emit = Callable[[At], Scalar]


def computed(at: At, op: str, operands: Sequence[Operand], dtype: torch.dtype) -> Scalar:
    """Apply `op` to operands cast to `dtype`; in half types, numbers are not rounded first."""
    wide = computed_in(dtype)
    if wide != dtype and any(operand.is_number for operand in operands):
        result = at.apply(op, *[operand.widened(at.k, dtype) for operand in operands])
        return at.k.cast(result, dtype) if result.dtype == wide else result
    return at.apply(op, *[operand.to(at.k, dtype) for operand in operands])


def plain(op: str) -> Lowering:
    def emit(at: At) -> Scalar:
        operands = at.operands()
        return computed(at, op, operands, result_type(operands))

    return Lowering(emit)


def floating(op: str) -> Lowering:
    def emit(at: At) -> Scalar:
        operands = at.operands()
        return computed(at, op, operands, as_floating(result_type(operands)))

    return Lowering(emit)


def rounded(op: str) -> Lowering:
    """As PLAIN, but numbers are rounded to the promoted dtype: comparisons, maximum."""

    def emit(at: At) -> Scalar:
        operands = at.operands()
        dtype = result_type(operands)
        return at.apply(op, *[operand.to(at.k, dtype) for operand in operands])

    return Lowering(emit)


def logical(op: str) -> Lowering:
    def emit(at: At) -> Scalar:
        return at.apply(op, *[operand.to(at.k, torch.bool) for operand in at.operands()])

    return Lowering(emit)


def identity(on: Callable[[torch.dtype], bool], op: str) -> Lowering:
    """`op` for dtypes that are not `on`, of which the result is the operand."""

    def emit(at: At) -> Scalar:
        operand = at.operands()[0]
        value = operand.to(at.k, operand.dtype)
        return value if on(operand.dtype) else at.apply(op, value)

    return Lowering(emit)


# ---- Arithmetic ----------------------------------------------------------------------------------


def _scaled_sum(op: str, first: str, second: str) -> Emit:
    """`first op alpha * second`."""

    def emit(at: At) -> Scalar:
        left, right = at.operand(first), at.operand(second)
        dtype = result_type([left, right])
        alpha = at.operand("alpha") if at.argument("alpha") is not None else None
        if alpha is None or (alpha.constant is not None and alpha.constant == 1):
            return computed(at, op, [left, right], dtype)
        wide = computed_in(dtype)
        scaled = at.apply("mul", alpha.to(at.k, wide), right.widened(at.k, dtype))
        return at.k.cast(at.apply(op, left.widened(at.k, dtype), scaled), dtype)

    return emit


def _divide(at: At) -> Scalar:
    operands = [at.operand("self"), at.operand("other")]
    mode = at.constant("rounding_mode")
    dtype = result_type(operands)
    if mode is None:
        return computed(at, "div", operands, as_floating(dtype))
    op = {"floor": "floor_divide", "trunc": "trunc_divide"}[mode]
    return computed(at, op, operands, dtype)


ARITHMETIC: dict[str, Lowering] = {
    "aten::add": Lowering(_scaled_sum("add", "self", "other")),
    "aten::sub": Lowering(_scaled_sum("sub", "self", "other")),
    "aten::rsub": Lowering(_scaled_sum("sub", "other", "self")),
    "aten::div": Lowering(_divide),
    "aten::mul": plain("mul"),
}
PLAIN = (
    "neg abs square sign sgn relu relu6 positive floor_divide remainder fmod "
    "bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift"
)
FLOATING = (
    "exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan asin acos atan sinh "
    "cosh tanh asinh acosh atanh atan2 sigmoid erf erfc erfinv lgamma digamma deg2rad rad2deg "
    "sinc i0 xlogy"
)
ROUNDED = "maximum minimum fmax fmin eq ne lt le gt ge isnan isinf isfinite isposinf isneginf"
LOGICAL = "logical_and logical_or logical_xor logical_not"

ELEMENTWISE: dict[str, Lowering] = {
    **{f"aten::{op}": plain(op) for op in PLAIN.split()},
    **{f"aten::{op}": floating(op) for op in FLOATING.split()},
    **{f"aten::{op}": rounded(op) for op in ROUNDED.split()},
    **{f"aten::{op}": logical(op) for op in LOGICAL.split()},
    **{
        f"aten::{op}": identity(lambda dtype: not dtype.is_floating_point, op)
        for op in "floor ceil trunc".split()
    },
    **ARITHMETIC,
}
