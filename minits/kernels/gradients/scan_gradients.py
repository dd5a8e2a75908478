"""The derivatives of scans: scans of what comes back, in the other direction.

y = cumsum(x)           cumsum(g), backwards
y = cumprod(x)          cumsum(g * y) / x, backwards; more where an element is zero
y = logcumsumexp(x)     sums of g * exp(x - y), as logarithms

Source: torch/csrc/autograd/FunctionsManual.cpp (cumsum_backward, cumprod_backward,
logcumsumexp_backward)
Differs: what a scan's greatest element is has no derivative here; the gradient of cummax and
cummin runs operator by operator.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from minits.kernels.ir.kernel import Direction, Scalar
from minits.kernels.ir.simplifying import SimplifyingBuilder

ScanDerivative = Callable[[SimplifyingBuilder, Direction, Scalar, Scalar, Scalar], Scalar]
"""`(k, direction, gradient, result, operand)` to the gradient of the operand at each index."""


def _back(k: SimplifyingBuilder, op: str, value: Scalar, direction: Direction) -> Scalar:
    return k.scan(op, value, Direction(-direction))


def _of_cumsum(
    k: SimplifyingBuilder, direction: Direction, g: Scalar, result: Scalar, operand: Scalar
) -> Scalar:
    return _back(k, "cumsum", g, direction)


def _of_cumprod(
    k: SimplifyingBuilder, direction: Direction, g: Scalar, result: Scalar, operand: Scalar
) -> Scalar:
    """Up to the first zero as if there were none; at it, with the products of all others.

    What is behind it has no gradient: each product in which it is has that zero.
    """
    zero, one = k.constant(0.0, operand.dtype), k.constant(1.0, operand.dtype)
    is_zero = k("eq", operand, zero)
    zeros = k.scan("cumsum", k.cast(is_zero, torch.int64), direction)
    is_before = k("eq", zeros, k.constant(0, torch.int64))
    is_first = k("logical_and", is_zero, k("eq", zeros, k.constant(1, torch.int64)))
    before = k("where", is_before, k("mul", g, result), zero)
    plainly = k("div", _back(k, "cumsum", before, direction), operand)
    others = k.scan("cumprod", k("where", is_first, one, operand), direction)
    from_here = k("where", is_before, zero, k("mul", g, others))
    at_first = _back(k, "cumsum", from_here, direction)
    return k("where", is_before, plainly, k("where", is_first, at_first, zero))


def _of_logcumsumexp(
    k: SimplifyingBuilder, direction: Direction, g: Scalar, result: Scalar, operand: Scalar
) -> Scalar:
    """Positive and negative gradients apart, since both are taken the logarithm of."""
    zero = k.constant(0.0, operand.dtype)
    least = k.constant(torch.finfo(operand.dtype).min, operand.dtype)

    def part(op: str, size: Scalar) -> Scalar:
        logarithm = k("where", k(op, g, zero), k("log", size), least)
        sums = _back(k, "logcumsumexp", k("sub", logarithm, result), direction)
        return k("exp", k("add", sums, operand))

    return k("sub", part("gt", g), part("lt", k("neg", g)))


SCAN_DERIVATIVES: dict[str, ScanDerivative] = {
    "cumsum": _of_cumsum,
    "cumprod": _of_cumprod,
    "logcumsumexp": _of_logcumsumexp,
}
