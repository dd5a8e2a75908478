"""Special functions that are several rows, and sums of them."""

from __future__ import annotations

import math

import torch

from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering import stride_rules as rules
from minits.kernels.lowering.elementwise import computed
from minits.kernels.lowering.promotion import Operand, as_floating
from minits.kernels.lowering.row import At, Lowering
from minits.kernels.scalar_ops.row import computed_in
from minits.kernels.scalar_ops.special import tetragamma, trigamma
from minits.kernels.scalar_ops.terms import Term

MOST_ORDERS = 20
"""Derivatives of digamma; the factorials of more are too large for float32 before long."""


def _ndtr(at: At) -> Scalar:
    """`(1 + erf(x / sqrt(2))) / 2`, each step rounded, as in eager."""
    operand, k = at.operand("self"), at.k
    dtype = as_floating(operand.dtype)
    value = Operand(dtype, operand.shape, operand.to(k, dtype))
    scaled = computed(at, "div", [value, Operand(torch.float64, None, None, math.sqrt(2))], dtype)
    half, one = k.constant(0.5, dtype), k.constant(1.0, dtype)
    return at.apply("mul", at.apply("add", at.apply("erf", scaled), one), half)


def _frexp(at: At) -> Scalar:
    """The mantissa, and the exponent as int32."""
    given = at.operand("self")
    if not given.dtype.is_floating_point:
        raise at.refuse_dtype(given.dtype)
    value = given.to(at.k, given.dtype)
    if at.index == 0:
        return at.apply("mantissa", value)
    return at.k.cast(at.apply("exponent", value), torch.int32)


def _wide(at: At) -> Scalar:
    """The operand in a floating dtype that is computed in. Raises NotFusable for half types."""
    operand = at.operand("self")
    dtype = as_floating(operand.dtype)
    if computed_in(dtype) != dtype:
        raise at.refuse_dtype(dtype)
    return operand.to(at.k, dtype)


def _polygamma(at: At) -> Scalar:
    """The derivatives of `digamma`: `n! zeta(n + 1, x)` with a sign from the second on."""
    order, value = at.constant("n"), _wide(at)
    if order == 0:
        return at.apply("digamma", value)
    if order == 1:
        x = Term(at.k, value)
        return at.sloped(trigamma(x).scalar, (value, tetragamma(x).scalar))
    if not 2 <= order <= MOST_ORDERS:
        raise at.refuse("not-elementwise", f"of order {order} has no kernel")
    return at.sloped(_zetas(at, order, value), (value, _zetas(at, order + 1, value)))


def _zetas(at: At, order: int, value: Scalar) -> Scalar:
    dtype, factor = value.dtype, math.factorial(order) * (1 if order % 2 else -1)
    zeta = at.apply("zeta", at.k.constant(float(order + 1), dtype), value)
    return at.apply("mul", at.k.constant(float(factor), dtype), zeta)


def _mvlgamma(at: At) -> Scalar:
    """`sum(lgamma(x - i / 2) for i in range(p)) + p * (p - 1) / 4 * log(pi)`."""
    count, value, k = at.constant("p"), _wide(at), at.k
    total: Scalar | None = None
    for step in reversed(range(count)):
        moved = at.apply("add", value, k.constant(-step / 2, value.dtype))
        term = at.apply("lgamma", moved)
        total = term if total is None else at.apply("add", total, term)
    if total is None:
        raise at.refuse("shape", f"of dimension {count}")
    rest = k.constant(count * (count - 1) * math.log(math.pi) * 0.25, value.dtype)
    return at.apply("add", total, rest)


SPECIAL: dict[str, Lowering] = {
    "aten::frexp": Lowering(_frexp, strides=rules.like_first),
    "aten::special_ndtr": Lowering(_ndtr, loops=2, strides=rules.function_of_product),
    "aten::polygamma": Lowering(_polygamma),
    "aten::mvlgamma": Lowering(_mvlgamma, strides=rules.contiguous),
}
