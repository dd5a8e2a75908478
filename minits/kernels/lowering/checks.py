"""Numbers and dtypes for which eager raises an error, or computes something else.

Constants of that kind are not fused; of others the kernel is told to check them (`checked`), and
eager's operators run where it finds one, which raise what they raise.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

from minits.kernels.kernel import Scalar
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
    number = at.operand(name)
    if number.constant is None:
        given = number.to(at.k, torch.float64)
        op, zero = "ge" if or_zero else "gt", at.k.constant(0.0, torch.float64)
        return at.apply("checked", value, at.apply(op, given, zero))
    if not (number.constant > 0 or (number.constant == 0 and or_zero)):
        raise at.refuse("not-elementwise", f"has no {name} of {number.constant}")
    return value


def a_number(at: At, name: str, value: Scalar) -> Scalar:
    """Return a value, if the number that an argument is is not NaN."""
    number = at.operand(name)
    if number.constant is None:
        given = number.to(at.k, torch.float64)
        return at.apply("checked", value, at.apply("eq", given, given))
    if math.isnan(number.constant):
        raise at.refuse("not-elementwise", f"has no {name} of {number.constant}")
    return value


def not_zero(at: At, name: str, value: Scalar) -> Scalar:
    """Return a value, if the number that an argument is is not zero."""
    number = at.operand(name)
    if number.constant is None:
        given, zero = number.to(at.k, torch.float64), at.k.constant(0.0, torch.float64)
        return at.apply("checked", value, at.apply("ne", given, zero))
    if number.constant == 0:
        raise at.refuse("not-elementwise", f"has no {name} of {number.constant}")
    return value


def of_one_dtype(at: At, *names: str) -> None:
    """Raise NotFusable where tensors that are given differ in dtype: eager's result is its own."""
    if len({at.operand(name).dtype for name in names if at.has(name)}) > 1:
        raise at.refuse("dtype", "of two dtypes has no kernel")


def not_bool(at: At, *names: str) -> None:
    """Raise NotFusable for tensors of bool, of which eager takes no difference."""
    if any(at.operand(name).dtype == torch.bool for name in names):
        raise at.refuse_dtype(torch.bool)


def fitting(at: At, value: Operand, dtype: torch.dtype) -> Scalar:
    """Return a number to fill a tensor of a dtype with, which must hold it.

    Floating dtypes hold infinities and NaN.
    """
    if dtype in (torch.bool, torch.float64, value.dtype):
        return value.to(at.k, dtype)
    least, most = _held(dtype, value.dtype)
    known = value.constant
    if known is not None:
        is_open = dtype.is_floating_point and not math.isfinite(known)
        if not is_open and not least <= known <= most:
            raise at.refuse("dtype", f"with a number that {dtype} does not hold")
        return value.to(at.k, dtype)
    number = value.to(at.k, torch.float64)
    is_not_below = at.apply("ge", number, at.k.constant(float(least), torch.float64))
    is_not_above = at.apply("le", number, at.k.constant(float(most), torch.float64))
    fits = at.apply("logical_and", is_not_below, is_not_above)
    if dtype.is_floating_point:
        is_none = at.apply("logical_not", at.apply("isfinite", number))
        fits = at.apply("logical_or", fits, is_none)
    return at.apply("checked", value.to(at.k, dtype), fits)


def _held(dtype: torch.dtype, given: torch.dtype) -> tuple[float, float]:
    """Return the least and the largest number of a given dtype that `dtype` holds.

    Negative integers wrap in uint8, other negative numbers do not.

    Source: c10/util/overflows.h.
    """
    bounds = torch.finfo(dtype) if dtype.is_floating_point else torch.iinfo(dtype)
    wraps = dtype == torch.uint8 and not given.is_floating_point
    return (-bounds.max if wraps else bounds.min), bounds.max
