"""The derivatives of reductions: what comes back to each element of a row.

y = sum(x)      g for each
y = max(x)      g for the greatest: shared by equal ones, or for the first (`Sharing`)
y = prod(x)     g times the product of the others
"""

from __future__ import annotations

from collections.abc import Callable

from minits.kernels.ir.kernel import Scalar, Sharing
from minits.kernels.ir.simplifying import SimplifyingBuilder

ReductionDerivative = Callable[[SimplifyingBuilder, Scalar, Scalar, Scalar], Scalar]
"""`(k, gradient, result, operand)` to the gradient of the operand at each index."""


def _of_sum(k: SimplifyingBuilder, g: Scalar, result: Scalar, operand: Scalar) -> Scalar:
    return g


def _of_extremum(k: SimplifyingBuilder, g: Scalar, result: Scalar, operand: Scalar) -> Scalar:
    """All that are equal to the result share the gradient, as in torch.amax."""
    mask = k.cast(k("eq", operand, result), operand.dtype)
    return k("mul", mask, k("div", g, k.total(mask)))


def _of_the_same(k: SimplifyingBuilder, g: Scalar, result: Scalar, operand: Scalar) -> Scalar:
    """All that are equal to the result share the gradient, NaN being equal to NaN."""
    zero = k.constant(0.0, operand.dtype)
    both_nan = k("logical_and", k("isnan", operand), k("isnan", result))
    is_one = k("logical_or", k("eq", operand, result), both_nan)
    return k("where", is_one, k("div", g, k.total(k.cast(is_one, operand.dtype))), zero)


def _of_the_first(position: str) -> ReductionDerivative:
    """The derivative of an extreme whose first occurrence has all of the gradient."""

    def derivative(k: SimplifyingBuilder, g: Scalar, result: Scalar, operand: Scalar) -> Scalar:
        is_first = k("eq", k.index(), k.reduce(position, operand))
        return k("where", is_first, g, k.constant(0.0, operand.dtype))

    return derivative


def _of_prod(k: SimplifyingBuilder, g: Scalar, result: Scalar, operand: Scalar) -> Scalar:
    """The product of all others. With one zero in the row it is that of the rest, there alone."""
    zero, one = k.constant(0.0, operand.dtype), k.constant(1.0, operand.dtype)
    is_zero = k("eq", operand, zero)
    zeros = k.total(k.cast(is_zero, operand.dtype))
    rest = k.reduce("prod", k("where", is_zero, one, operand))
    at_zero = k("where", k("eq", zeros, one), rest, zero)
    elsewhere = k("where", k("eq", zeros, zero), k("div", rest, operand), zero)
    return k("mul", g, k("where", is_zero, at_zero, elsewhere))


_SHARED = {Sharing.SAME: _of_the_same}
_REDUCTIONS: dict[str, ReductionDerivative] = {
    "sum": _of_sum, "prod": _of_prod, "max": _of_extremum, "min": _of_extremum,
}  # fmt: skip


def derivative_of(value: Scalar) -> ReductionDerivative:
    """Return the derivative of a reduction."""
    if value.payload is Sharing.FIRST:
        return _of_the_first(f"arg{value.op}")
    return _SHARED.get(value.payload) or _REDUCTIONS[value.op]
