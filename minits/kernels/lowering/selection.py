"""Operators of three operands: choices, bounds, and sums of products."""

from __future__ import annotations

import math

import torch

from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering import stride_rules as rules
from minits.kernels.lowering.checks import fitting, not_below_zero, of_one_dtype
from minits.kernels.lowering.elementwise import Emit, computed
from minits.kernels.lowering.promotion import Operand, as_floating, result_type
from minits.kernels.lowering.row import At, Lowering
from minits.kernels.scalar_ops.row import computed_in


def _where(at: At) -> Scalar:
    if at.argument("self") is None:
        raise at.refuse("not-elementwise", "of a condition alone gives indices")
    operands = [at.operand("self"), at.operand("other")]
    condition = at.operand("condition")
    if condition.dtype not in (torch.bool, torch.uint8):
        raise at.refuse_dtype(condition.dtype)
    dtype = result_type(operands)
    chosen = [_chosen(at, operand, dtype) for operand in operands]
    return at.apply("where", condition.to(at.k, torch.bool), *chosen)


def _chosen(at: At, operand: Operand, dtype: torch.dtype) -> Scalar:
    """A tensor or number; half types need not hold the number, which is infinite in them then."""
    if not operand.is_number or computed_in(dtype) != dtype:
        return operand.to(at.k, dtype)
    return fitting(at, operand, dtype)


def _masked_fill(at: At) -> Scalar:
    given, mask, value = at.operand("self"), at.operand("mask"), at.operand("value")
    if mask.dtype != torch.bool:
        raise at.refuse_dtype(mask.dtype)
    filled, kept = fitting(at, value, given.dtype), given.to(at.k, given.dtype)
    return at.apply("where", mask.to(at.k, torch.bool), filled, kept)


def _clamp(at: At) -> Scalar:
    names = [name for name in ("min", "max") if at.has(name)]
    operands = [at.operand("self"), *[at.operand(name) for name in names]]
    if not names:
        raise at.refuse("not-elementwise", "has no bounds")
    op = "clamp" if len(names) == 2 else f"clamp_{names[0]}"
    dtype = result_type(operands)
    if dtype == torch.bool and any(operand.is_number for operand in operands):
        raise at.refuse_dtype(dtype)
    bounds = [
        fitting(at, operand, dtype) if operand.is_number else operand.to(at.k, dtype)
        for operand in operands[1:]
    ]
    return at.apply(op, operands[0].to(at.k, dtype), *bounds)


# ---- Sums of products ----------------------------------------------------------------------------


def _product(op: str) -> Emit:
    """`self + value * tensor1 op tensor2`; a product is added without rounding it, as in eager."""

    def emit(at: At) -> Scalar:
        operands = [at.operand("self"), at.operand("tensor1"), at.operand("tensor2")]
        dtype, k = result_type(operands), at.k
        if dtype == torch.bool or (op == "div" and not dtype.is_floating_point):
            raise at.refuse_dtype(dtype)
        if op == "div" and not any(each.dtype.is_floating_point for each in operands[1:]):
            raise at.refuse_dtype(operands[1].dtype)
        base, first, second = [operand.widened(k, dtype) for operand in operands]
        value = at.operand("value")
        if value.constant != 1:
            first = at.apply("mul", fitting(at, value, computed_in(dtype)), first)
        if op == "mul" and dtype.is_floating_point:
            return k.cast(at.apply("fma", first, second, base), dtype)
        return k.cast(at.apply("add", base, at.apply(op, first, second)), dtype)

    return emit


def _lerp(at: At) -> Scalar:
    """From the end that is nearer, as eager does."""
    operands = [at.operand("self"), at.operand("end"), at.operand("weight")]
    dtype, k = operands[0].dtype, at.k
    tensors = [operand for operand in operands if not operand.is_number]
    if not dtype.is_floating_point or any(tensor.dtype != dtype for tensor in tensors):
        raise at.refuse_dtype(dtype)
    start, end = [operand.widened(k, dtype) for operand in operands[:2]]
    weight = operands[2]
    share = fitting(at, weight, start.dtype) if weight.is_number else weight.widened(k, dtype)
    return k.cast(at.apply("lerp", start, end, share), dtype)


# ---- Powers --------------------------------------------------------------------------------------


def _pow(at: At) -> Scalar:
    base, exponent = at.operand("self"), at.operand("exponent")
    dtype = result_type([base, exponent])
    if dtype == torch.bool:
        raise at.refuse_dtype(dtype)
    is_sure = exponent.constant is not None and exponent.constant >= 0
    if not dtype.is_floating_point and exponent.is_number and not is_sure:
        raise at.refuse("dtype", "of integers has no kernel for what may be negative")
    is_rounded = computed_in(dtype) != dtype or not dtype.is_floating_point
    if exponent.is_number and not base.is_number and is_rounded:
        number = fitting(at, exponent, dtype)
        if exponent.constant is None:
            exponent = Operand(dtype, None, number)
    return _power(at, base, exponent, dtype)


def _float_power(at: At) -> Scalar:
    return _power(at, at.operand("self"), at.operand("exponent"), torch.float64)


def _power(at: At, base: Operand, exponent: Operand, dtype: torch.dtype) -> Scalar:
    """A power; some constant exponents are other operators, as in eager."""
    if exponent.is_number and exponent.constant is not None and not base.is_number:
        value = base.widened(at.k, dtype)
        if exponent.constant in (0.5, -0.5) and dtype == torch.float16:
            return at.k.cast(_half_power(at, value, exponent.constant), dtype)
        simple = _simple_power(at, value, float(exponent.constant), dtype)
        if simple is not None:
            return at.k.cast(simple, dtype)
    return computed(at, "pow", [base, exponent], dtype)


def _simple_power(at: At, base: Scalar, exponent: float, dtype: torch.dtype) -> Scalar | None:
    """A power by multiplications and roots; in bfloat16 eager rounds the square."""
    square = at.apply("mul", base, base)
    if dtype == torch.bfloat16:
        square = at.k.cast(at.k.cast(square, dtype), base.dtype)
    match exponent:
        case 0.0:
            return at.apply("where", at.k.constant(True, torch.bool), _one(at, base), base)
        case 1.0:
            return base
        case 2.0:
            return square
        case 3.0:
            return at.apply("mul", square, base)
    if not base.dtype.is_floating_point:
        return None
    match exponent:
        case 0.5:
            return at.apply("sqrt", base)
        case -0.5:
            return _sloping(at, base, at.apply("rsqrt", base), exponent)
        case -1.0:
            return at.apply("reciprocal", base)
        case -2.0:
            return _sloping(at, base, at.apply("reciprocal", square), exponent)
    return None


def _sloping(at: At, base: Scalar, power: Scalar, exponent: float) -> Scalar:
    """A power whose derivative is eager's, `exponent * base ** (exponent - 1)`, at zero and at
    infinities, too, where the derivatives of the operations that the power is made of are NaN.
    """
    k = at.k
    zero = at.apply("copysign", k.constant(0.0, base.dtype), base)
    less = at.apply("where", at.apply("isinf", base), zero, at.apply("div", power, base))
    slope = at.apply("mul", k.constant(exponent, base.dtype), less)
    return at.sloped(power, (base, slope))


def _half_power(at: At, base: Scalar, exponent: float) -> Scalar:
    """A power that is no root in eager: of -0 and -inf it is that of 0 and inf."""
    base = at.apply("add", base, at.k.constant(0.0, base.dtype))
    root = at.apply("sqrt" if exponent > 0 else "rsqrt", base)
    last = at.k.constant(math.inf if exponent > 0 else 0.0, base.dtype)
    is_last = at.apply("eq", base, at.k.constant(-math.inf, base.dtype))
    return at.apply("where", is_last, last, root)


def _one(at: At, like: Scalar) -> Scalar:
    return at.k.constant(1.0 if like.dtype.is_floating_point else 1, like.dtype)


# ---- Others --------------------------------------------------------------------------------------


def _nan_to_num(at: At) -> Scalar:
    given = at.operand("self")
    dtype, k = given.dtype, at.k
    value = given.to(k, dtype)
    if not dtype.is_floating_point:
        return value
    largest = torch.finfo(dtype).max
    defaults = {"nan": 0.0, "posinf": largest, "neginf": -largest}
    bounds = [
        at.operand(name).to(k, dtype) if at.has(name) else k.constant(default, dtype)
        for name, default in defaults.items()
    ]
    return at.apply("nan_to_num", value, *bounds)


def _logit(at: At) -> Scalar:
    given = at.operand("self")
    dtype, k = as_floating(given.dtype), at.k
    value, one = given.to(k, dtype), k.constant(1.0, dtype)
    if at.has("eps"):
        eps = at.operand("eps")
        if eps.constant is None or not eps.constant < 0:
            value = _between(at, value, fitting(at, eps, dtype), one)
    if computed_in(dtype) == dtype:
        return at.apply("logit", value)
    return at.apply("log", at.apply("div", value, at.apply("sub", one, value)))


def _between(at: At, value: Scalar, eps: Scalar, one: Scalar) -> Scalar:
    """`value`, eps below that and 1 - eps above that; where eps is NaN, `value`."""
    most = at.apply("sub", one, eps)
    below_most = at.apply("where", at.apply("gt", value, most), most, value)
    return at.apply("where", at.apply("lt", value, eps), eps, below_most)


def _isclose(at: At) -> Scalar:
    """Return whether two are equal, or within the tolerances if both are finite."""
    dtype, (left, right) = at.floating("self", "other")
    of_one_dtype(at, "self", "other")
    k, wide = at.k, computed_in(dtype)
    if dtype != wide or at.constant("equal_nan"):
        raise at.refuse_dtype(dtype)
    allowed = at.apply("mul", at.number("rtol", dtype), at.apply("abs", right))
    allowed = at.apply("add", at.number("atol", dtype), allowed)
    distance = at.apply("abs", at.apply("sub", left, right))
    near = at.apply("le", distance, allowed)
    near = not_below_zero(at, "rtol", not_below_zero(at, "atol", near))
    finite = at.apply("lt", distance, k.constant(math.inf, wide))
    return at.apply(
        "logical_or", at.apply("eq", left, right), at.apply("logical_and", near, finite)
    )


SELECTION: dict[str, Lowering] = {
    "aten::where": Lowering(_where, strides=rules.chosen),
    "aten::masked_fill": Lowering(_masked_fill, strides=rules.contiguous),
    "aten::clamp": Lowering(_clamp),
    "aten::clamp_min": Lowering(_clamp),
    "aten::clamp_max": Lowering(_clamp),
    "aten::addcmul": Lowering(_product("mul")),
    "aten::addcdiv": Lowering(_product("div")),
    "aten::lerp": Lowering(_lerp),
    "aten::pow": Lowering(_pow, strides=rules.power),
    "aten::float_power": Lowering(_float_power, loops=2, strides=rules.power),
    "aten::nan_to_num": Lowering(_nan_to_num, strides=rules.like_first),
    "aten::logit": Lowering(_logit),
    "aten::isclose": Lowering(_isclose),
}
