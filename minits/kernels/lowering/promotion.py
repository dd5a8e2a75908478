"""torch's type promotion, on operands of which dtype and rank are known.

Source: aten/src/ATen/native/TypeProperties.cpp (`result_type`, `combine_categories`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from minits.kernels.ir.builder import Builder
from minits.kernels.ir.kernel import Scalar
from minits.kernels.scalar_ops.row import computed_in
from minits.records import dataclass

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Operand:
    """An argument of an operator, in a kernel.

    `shape` is None for a Python number, which has the dtype bool, int64 or float64 until it is
    cast; `constant` is its value where that is known (`scalar` is None then).
    """

    dtype: torch.dtype
    shape: Shape | None
    scalar: Scalar | None
    constant: Any = None

    @property
    def is_number(self) -> bool:
        return self.shape is None

    def to(self, k: Builder, dtype: torch.dtype) -> Scalar:
        """Return the operand as a scalar of the dtype."""
        if self.scalar is not None:
            return k.cast(self.scalar, dtype)
        return k.constant(converted(self.constant, dtype), dtype)

    def widened(self, k: Builder, dtype: torch.dtype) -> Scalar:
        """Return the operand in the dtype in which operations of `dtype` are computed.

        A tensor is rounded to `dtype` first, a number is not.
        """
        wide = computed_in(dtype)
        return self.to(k, wide) if self.is_number else k.cast(self.to(k, dtype), wide)


def converted(value: Any, dtype: torch.dtype) -> Any:
    """Return a number as `dtype` holds it; floats are left to be rounded by who prints them."""
    if dtype == torch.bool:
        return bool(value)
    if dtype.is_floating_point:
        return float(value)
    return torch.tensor(int(value)).to(dtype).item()


def result_type(operands: Sequence[Operand]) -> torch.dtype:
    """Return the dtype in which an elementwise operator computes on the operands."""
    ranked = zero_rank = number = None
    for operand in operands:
        if operand.shape is None:
            number = _promote(number, _number_type(operand.dtype))
        elif operand.shape == ():
            zero_rank = _promote(zero_rank, operand.dtype)
        else:
            ranked = _promote(ranked, operand.dtype)
    found = _combine(ranked, _combine(zero_rank, number))
    assert found is not None, "an operator without operands"
    return found


def _number_type(dtype: torch.dtype) -> torch.dtype:
    return torch.get_default_dtype() if dtype.is_floating_point else dtype


def _promote(known: torch.dtype | None, dtype: torch.dtype) -> torch.dtype:
    return dtype if known is None else torch.promote_types(known, dtype)


def _combine(higher: torch.dtype | None, lower: torch.dtype | None) -> torch.dtype | None:
    """Promote two dtypes, of which the lower only raises the category: bool, integer, floating."""
    if higher is None or lower is None:
        return lower if higher is None else higher
    if higher.is_floating_point:
        return higher
    if higher == torch.bool or lower.is_floating_point:
        return torch.promote_types(higher, lower)
    return higher


def as_floating(dtype: torch.dtype) -> torch.dtype:
    """The dtype of what has no integer result, such as `exp` and `/`."""
    return dtype if dtype.is_floating_point else torch.get_default_dtype()
