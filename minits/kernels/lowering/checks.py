"""Numbers and dtypes for which eager raises an error, or computes something else.

Constants of that kind are not fused; of others the kernel is told to check them (`checked`), and
eager's operators run where it finds one, which raise what they raise.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import torch

from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering.promotion import Operand
from minits.kernels.lowering.row import At

Check = Callable[[At, str, Scalar], Scalar]
"""Returns a value, if the number that the named argument is is one for it."""


def between_0_and_1(at: At, value: Scalar) -> Scalar:
    """Return a value that is checked; NaN is not between them."""
    is_not_below = at.apply("ge", value, at.k.constant(0.0, value.dtype))
    is_not_above = at.apply("le", value, at.k.constant(1.0, value.dtype))
    return at.apply("checked", value, at.apply("logical_and", is_not_below, is_not_above))


def not_below_zero(at: At, name: str, value: Scalar, or_zero: bool = True) -> Scalar:
    """Return a value, if the number that an argument is does not lie below zero.

    Neither is it zero, unless `or_zero`.
    """
    return _only_if(at, name, value, ("ge" if or_zero else "gt", 0.0))


def a_probability(at: At, name: str, value: Scalar) -> Scalar:
    """Return a value, if the number that an argument is lies between 0 and 1."""
    return _only_if(at, name, value, ("ge", 0.0), ("le", 1.0))


def in_range(at: At, name: str, value: Scalar) -> Scalar:
    """Return a value, if the number that an argument is lies between 0 and the largest of the
    first argument's dtype.
    """
    dtype = at.operand("self").dtype
    return _only_if(at, name, value, ("ge", 0.0), ("le", torch.finfo(dtype).max))


def _only_if(at: At, name: str, value: Scalar, *tests: tuple[str, float]) -> Scalar:
    """Return a value, if the number that an argument is passes tests, such as `("ge", 0.0)`."""
    number = at.operand(name)
    if number.constant is not None:
        if not all(getattr(operator, op)(number.constant, bound) for op, bound in tests):
            raise at.refuse("not-elementwise", f"has no {name} of {number.constant}")
        return value
    given = number.to(at.k, torch.float64)
    for op, bound in tests:
        is_good = at.apply(op, given, at.k.constant(bound, torch.float64))
        value = at.apply("checked", value, is_good)
    return value


def in_order(at: At, low: str, high: str, value: Scalar) -> Scalar:
    """Return a value, if of the numbers that two arguments are the first is not the larger one.

    Neither is NaN. Raises `NotFusable`.
    """
    numbers = [at.operand(low), at.operand(high)]
    known = [number.constant for number in numbers]
    if None in known:
        is_good = at.apply("le", *[number.to(at.k, torch.float64) for number in numbers])
        return at.apply("checked", value, is_good)
    if not known[0] <= known[1]:
        raise at.refuse("not-elementwise", f"has no bounds {known}")
    return value


def invertible(at: At, name: str, value: Scalar) -> Scalar:
    """Return a value, if its dtype holds the inverse of the number that an argument is."""
    number = at.operand(name)
    value = _only_if(at, name, value, ("ne", 0.0))
    if number.constant is not None:
        inverse = Operand(torch.float64, None, None, 1 / number.constant)
    else:
        one, given = at.k.constant(1.0, torch.float64), number.to(at.k, torch.float64)
        inverse = Operand(torch.float64, None, at.apply("div", one, given))
    fits = _fits(at, inverse, value.dtype)
    return value if fits is None else at.apply("checked", value, fits)


def of_one_dtype(at: At, *names: str) -> None:
    """Raise NotFusable where tensors that are given differ in dtype: eager's result is its own."""
    if len({at.operand(name).dtype for name in names if at.has(name)}) > 1:
        raise at.refuse("dtype", "of two dtypes has no kernel")


def not_bool(at: At, *names: str) -> None:
    """Raise NotFusable for tensors of bool, of which eager takes no difference."""
    if any(at.operand(name).dtype == torch.bool for name in names):
        raise at.refuse_dtype(torch.bool)


def fitting(at: At, value: Operand, dtype: torch.dtype) -> Scalar:
    """Return a number as a scalar of a dtype, which must hold it.

    Floating dtypes hold infinities and NaN.
    """
    fits = _fits(at, value, dtype)
    number = value.to(at.k, dtype)
    return number if fits is None else at.apply("checked", number, fits)


def _fits(at: At, value: Operand, dtype: torch.dtype) -> Scalar | None:
    """Return whether a dtype holds a number; None if it does. A constant that it does not hold is
    refused.
    """
    if dtype in (torch.bool, torch.float64, value.dtype):
        return None
    least, most = _held(dtype, value.dtype)
    known = value.constant
    if known is not None:
        is_open = dtype.is_floating_point and not math.isfinite(known)
        if not is_open and not least <= known <= most:
            raise at.refuse("dtype", f"with a number that {dtype} does not hold")
        return None
    number = value.to(at.k, torch.float64)
    is_not_below = at.apply("ge", number, at.k.constant(float(least), torch.float64))
    is_not_above = at.apply("le", number, at.k.constant(float(most), torch.float64))
    fits = at.apply("logical_and", is_not_below, is_not_above)
    if dtype.is_floating_point:
        is_none = at.apply("logical_not", at.apply("isfinite", number))
        fits = at.apply("logical_or", fits, is_none)
    return fits


def _held(dtype: torch.dtype, given: torch.dtype) -> tuple[float, float]:
    """Return the least and the largest number of a given dtype that `dtype` holds.

    Negative integers wrap in uint8, other negative numbers do not.

    Source: c10/util/overflows.h.
    """
    bounds = torch.finfo(dtype) if dtype.is_floating_point else torch.iinfo(dtype)
    wraps = dtype == torch.uint8 and not given.is_floating_point
    return (-bounds.max if wraps else bounds.min), bounds.max
