"""Operators that compute each element from those at the same index.

Most are one row of `SCALAR_OPS`, which says by `dtypes` in which dtype they compute:

    plain           the promoted dtype                                   neg, mul, hypot
    floating        the promoted dtype, the default one for integers     exp, atan2
    not_of_halves   as floating, but half types are left to eager        special_i1
    rounded         as plain, but numbers are rounded to it              maximum, <, isnan
    logical         bool, whatever is given                              logical_and
    dividing        as plain, but integers are not divided by zero       remainder
    rounding        the operand's; integers are what they are            floor

In float16 and bfloat16, numbers that are multiplied and divided by are not rounded: `x * 0.1` is
computed in float32 and rounded once. Those that are added are on CPUs, as in eager.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering import stride_rules as rules
from minits.kernels.lowering.checks import fitting
from minits.kernels.lowering.promotion import Operand, Shape, as_floating, result_type
from minits.kernels.lowering.result import View
from minits.kernels.lowering.row import At, Lowering, StrideRule, is_complex
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.kernels.scalar_ops.row import DtypeRule, StridesOf, computed_in
from minits.records import replace

Emit = Callable[[At], Scalar]


_STEPS = ("floor_divide", "trunc_divide")
_EXACT = ("mul", "div", *_STEPS)


def computed(at: At, op: str, operands: Sequence[Operand], dtype: torch.dtype) -> Scalar:
    """Apply `op` to operands cast to `dtype`; in half types, some numbers are not rounded first."""
    exact = [_is_exact(at, op, operand) for operand in operands]
    if computed_in(dtype) == dtype or not any(exact):
        return at.apply(op, *[operand.to(at.k, dtype) for operand in operands])
    wide = [
        _wide(at, operand, dtype, is_exact)
        for operand, is_exact in zip(operands, exact, strict=True)
    ]
    return at.k.cast(at.apply(op, *wide), dtype)


def _wide(at: At, operand: Operand, dtype: torch.dtype, is_exact: bool) -> Scalar:
    """An operand in the dtype that `dtype` is computed in."""
    wide = computed_in(dtype)
    return operand.to(at.k, wide) if is_exact else at.k.cast(operand.to(at.k, dtype), wide)


def _is_exact(at: At, op: str, operand: Operand) -> bool:
    """Return whether eager computes with a number of more digits than the tensors have."""
    if op in _EXACT:
        return operand.is_number or (at.lowerer.is_on_cpu and operand.shape == ())
    return op in ("add", "sub") and operand.is_number and not at.lowerer.is_on_cpu


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


def not_of_halves(op: str) -> Lowering:
    """Like `floating`, but eager computes in the half types themselves; those are left to it."""

    def emit(at: At) -> Scalar:
        operands = at.operands()
        dtype = as_floating(result_type(operands))
        if computed_in(dtype) != dtype:
            raise at.refuse_dtype(dtype)
        return at.apply(op, *[operand.to(at.k, dtype) for operand in operands])

    return Lowering(emit)


def rounded(op: str) -> Lowering:
    """Like `plain`, but numbers are rounded to the promoted dtype: comparisons, maximum."""

    def emit(at: At) -> Scalar:
        operands = at.operands()
        dtype = result_type(operands)
        return at.apply(op, *[operand.to(at.k, dtype) for operand in operands])

    return Lowering(emit)


def logical(op: str) -> Lowering:
    def emit(at: At) -> Scalar:
        return at.apply(op, *[operand.to(at.k, torch.bool) for operand in at.operands()])

    return Lowering(emit)


def rounding(op: str) -> Lowering:
    """`op` for floating dtypes; integers are what they are."""

    def emit(at: At) -> Scalar:
        if at.argument("decimals") is not None:
            return _to_decimals(at)
        operand = at.operand("self")
        if operand.dtype == torch.bool:
            raise at.refuse_dtype(torch.bool)
        value = operand.to(at.k, operand.dtype)
        return at.apply(op, value) if operand.dtype.is_floating_point else value

    return Lowering(emit)


def _to_decimals(at: At) -> Scalar:
    """`round(x * 10 ** decimals) / 10 ** decimals`, or the other way round for those before the
    point; rounded to a half type once.

    Source: ATen/native/cpu/UnaryOpsKernel.cpp (`round_decimals_kernel`).
    """
    operand, decimals = at.operand("self"), at.constant("decimals")
    if not operand.dtype.is_floating_point:
        raise at.refuse_dtype(operand.dtype)
    value = operand.widened(at.k, operand.dtype)
    power = at.k.constant(10.0 ** abs(decimals), value.dtype)
    there, back = ("mul", "div") if decimals > 0 else ("div", "mul")
    scaled = at.apply("round", at.apply(there, value, power))
    return at.k.cast(at.apply(back, scaled, power), operand.dtype)


def _of_parts(op: str, of_complex: str, *names: str) -> Lowering:
    """`op`; of complex numbers, `of_complex` of the parts that are named."""

    def emit(at: At) -> Scalar:
        if not is_complex(at.lowerer, at.node.inputs[0]):
            return (floating(op) if op == "angle" else plain(op)).emit(at)  # type: ignore[misc]
        parts = [at.operand("self", View(f"aten::{name}")) for name in names]
        return at.apply(of_complex, *[part.to(at.k, part.dtype) for part in parts])

    return Lowering(emit)


# ---- Arithmetic ----------------------------------------------------------------------------------


def _scaled_sum(op: str, first: str, second: str) -> Emit:
    """`first op alpha * second`; the product is added without rounding it, as in eager."""

    def emit(at: At) -> Scalar:
        left, right = at.operand(first), at.operand(second)
        dtype = result_type([left, right])
        if op == "sub" and torch.bool in (left.dtype, right.dtype):
            raise at.refuse_dtype(torch.bool)
        alpha = at.operand("alpha") if at.argument("alpha") is not None else None
        if alpha is None or (alpha.constant is not None and alpha.constant == 1):
            return computed(at, op, [left, right], dtype)
        _check_alpha(at, alpha.dtype, dtype)
        wide = computed_in(dtype)
        factor = at.k.cast(fitting(at, alpha, dtype if at.lowerer.is_on_cpu else wide), wide)
        base, scaled = left.widened(at.k, dtype), right.widened(at.k, dtype)
        if dtype.is_floating_point:
            factor = at.apply("neg", factor) if op == "sub" else factor
            return at.k.cast(at.apply("fma", factor, scaled, base), dtype)
        return at.k.cast(at.apply(op, base, at.apply("mul", factor, scaled)), dtype)

    return emit


def _check_alpha(at: At, alpha: torch.dtype, dtype: torch.dtype) -> None:
    too_wide = alpha.is_floating_point and not dtype.is_floating_point
    if too_wide or (alpha == torch.bool and dtype != torch.bool):
        raise at.refuse("dtype", f"of {dtype} has no alpha of {alpha}")


def _divide(at: At) -> Scalar:
    operands = [at.operand("self"), at.operand("other")]
    mode = at.constant("rounding_mode")
    dtype = result_type(operands)
    if mode is None:
        return computed(at, "div", operands, as_floating(dtype))
    return _divided(at, {"floor": "floor_divide", "trunc": "trunc_divide"}[mode], operands)


def _divided(at: At, op: str, operands: Sequence[Operand]) -> Scalar:
    """Integers that are divided by are checked on CPUs, where eager raises for zero."""
    dtype = result_type(operands)
    if not dtype.is_floating_point and at.lowerer.is_on_cpu and not operands[1].constant:
        return at.apply(op, operands[0].to(at.k, dtype), _not_zero(at, operands[1], dtype))
    is_half = computed_in(dtype) != dtype
    if is_half and op in _STEPS and not any(_is_exact(at, op, each) for each in operands):
        dividend, divisor = [operand.to(at.k, dtype) for operand in operands]
        return _in_steps(at, op, dividend, divisor)
    return computed(at, op, operands, dtype)


def _not_zero(at: At, divisor: Operand, dtype: torch.dtype) -> Scalar:
    if divisor.constant is not None:
        raise at.refuse("dtype", "of integers by zero has no kernel")
    value = divisor.to(at.k, dtype)
    return at.apply("checked", value, at.apply("ne", value, at.k.constant(0, dtype)))


def dividing(op: str) -> Lowering:
    return Lowering(lambda at: _divided(at, op, at.operands()))


def _in_steps(at: At, op: str, dividend: Scalar, divisor: Scalar) -> Scalar:
    """`floor_divide` or `trunc_divide` of two half types, of which eager rounds each step.

    Source: c10/util/BFloat16-math.h, c10/util/generic_math.h (`div_floor_floating`).
    """
    k, dtype = at.k, dividend.dtype
    quotient = k("div", dividend, divisor)
    if op == "trunc_divide":
        return k("trunc", quotient)
    zero, one = k.constant(0.0, dtype), k.constant(1.0, dtype)
    rest = k("fmod", dividend, divisor)
    whole = k("div", k("sub", dividend, rest), divisor)
    is_below = k("ne", k("lt", divisor, zero), k("lt", rest, zero))
    is_below = k("logical_and", k("ne", rest, zero), is_below)
    whole = k("where", is_below, k("sub", whole, one), whole)
    floor = k("floor", whole)
    is_above = k("gt", k("sub", whole, floor), k.constant(0.5, dtype))
    floor = k("where", is_above, k("add", floor, one), floor)
    floor = k("where", k("ne", whole, zero), floor, k("copysign", zero, quotient))
    floor = k("where", k("eq", divisor, zero), quotient, floor)
    return k("floor", floor)  # of what is whole already: it has no gradient


def _nextafter(at: At) -> Scalar:
    operands = at.operands()
    dtype = result_type(operands)
    if computed_in(dtype) != dtype:
        raise at.refuse_dtype(dtype)
    return at.apply("nextafter", *[operand.to(at.k, dtype) for operand in operands])


def _square(at: At) -> Scalar:
    """The square; bools are squared as integers, as eager's square is a power of them."""
    given = at.operand("self")
    dtype = torch.int64 if given.dtype == torch.bool else given.dtype
    return computed(at, "square", [given], dtype)


def _is_real(at: At) -> Scalar:
    """Every number is, NaN too."""
    given, k = at.operand("self"), at.k
    is_none = at.apply("isnan", given.to(k, given.dtype))
    return at.apply("logical_or", is_none, k.constant(True, torch.bool))


def _heaviside(at: At) -> Scalar:
    operands = [at.operand("self"), at.operand("values")]
    dtype = result_type(operands)
    if any(operand.dtype != dtype for operand in operands):
        raise at.refuse_dtype(dtype)
    return at.apply("heaviside", *[operand.to(at.k, dtype) for operand in operands])


def _ldexp(at: At) -> Scalar:
    """`self * 2 ** other`; the power is of the exponent's dtype, of integers the default dtype.

    Of a half type the power may overflow where the product does not; that is left to eager. So
    are integers as exponents of floating numbers, which torch moves by without a power since 2.13.
    """
    left, right = at.operand("self"), at.operand("other")
    if computed_in(right.dtype) != right.dtype:
        raise at.refuse_dtype(right.dtype)
    if left.dtype.is_floating_point and not right.dtype.is_floating_point:
        raise at.refuse_dtype(right.dtype)
    floating = as_floating(right.dtype)
    dtype = result_type([left, Operand(floating, right.shape, right.scalar)])
    power = at.apply("exp2", right.to(at.k, floating))
    return at.k.cast(at.apply("mul", left.widened(at.k, dtype), power), dtype)


MOST_DIFFERENCES = 4
"""Differences of differences in a kernel: each doubles what is subtracted."""


def _diff(at: At) -> Scalar:
    """Each element less the one before it, `n` times over; of bools, whether they differ."""
    dim, order = at.dim("dim", at.rank()), at.constant("n", 1)

    def after(order: int, start: int) -> Scalar:
        """The differences of an order, from the one at `start` on."""
        if order == 0:
            past = start - at.constant("n", 1)
            given = at.operand("self", View("aten::slice", (dim, start, past or None, 1)))
            return given.to(at.k, given.dtype)
        pair = after(order - 1, start + 1), after(order - 1, start)
        return at.apply("logical_xor" if pair[0].dtype == torch.bool else "sub", *pair)

    return after(order, 0)


def _fewer(at: At) -> Shape:
    shape, order = at.shape("self"), at.constant("n", 1)
    if not shape or not 1 <= order <= MOST_DIFFERENCES or at.has("prepend") or at.has("append"):
        raise at.refuse("not-elementwise", f"of order {order}, or of more elements, has no kernel")
    dim = at.dim("dim", len(shape))
    return (*shape[:dim], max(shape[dim] - order, 0), *shape[dim + 1 :])


def _outer(at: At) -> Scalar:
    operands = [at.operand("self", View("aten::unsqueeze", (1,))), at.operand("vec2")]
    return computed(at, "mul", operands, result_type(operands))


def _by_columns(at: At) -> Shape:
    shape = (*at.shape("self"), *at.shape("vec2"))
    if len(shape) != 2 or len(at.shape("self")) != 1:
        raise at.refuse("shape", f"of shape {shape}")
    return shape


ARITHMETIC: dict[str, Lowering] = {
    "aten::add": Lowering(_scaled_sum("add", "self", "other")),
    "aten::sub": Lowering(_scaled_sum("sub", "self", "other")),
    "aten::rsub": Lowering(_scaled_sum("sub", "other", "self"), strides=rules.subtracted_from),
    "aten::div": Lowering(_divide),
    "aten::diff": Lowering(_diff, _fewer, strides=rules.differences, laid_by_parts=True),
    "aten::outer": Lowering(_outer, _by_columns),
}
_LOWERING_BY: dict[DtypeRule, Callable[[str], Lowering]] = {
    "plain": plain,
    "floating": floating,
    "not_of_halves": not_of_halves,
    "rounded": rounded,
    "logical": logical,
    "dividing": dividing,
    "rounding": rounding,
}
"""Functions that make the lowering of a row, by the row's rule for dtypes."""

_STRIDES_BY: dict[StridesOf, StrideRule] = {
    "loop": rules.elementwise_loop,
    "like_first": rules.like_first,
    "is_infinite": rules.is_infinite,
    "is_finite": rules.is_finite,
}

ELEMENTWISE: dict[str, Lowering] = {
    **{
        kind: replace(_LOWERING_BY[row.dtypes](row.name), strides=_STRIDES_BY[row.strides])
        for row in SCALAR_OPS.values()
        if row.dtypes is not None
        for kind in row.kinds
    },
    "aten::abs": _of_parts("abs", "hypot", "real", "imag"),
    "aten::angle": replace(_of_parts("angle", "atan2", "imag", "real"), strides=rules.angle),
    "aten::square": Lowering(_square),
    "aten::isreal": Lowering(_is_real, strides=rules.like_first),
    "aten::heaviside": Lowering(_heaviside),
    "aten::nextafter": Lowering(_nextafter),
    "aten::ldexp": Lowering(_ldexp, strides=rules.scaled_by_power),
    **ARITHMETIC,
}
