"""Usual operands: assumptions that most calls meet, and for which loops are fast.

Some functions have vectors for usual operands only: angles up to a million, quotients that fit. The
loops of a kernel with such functions are written twice: for usual operands, and for all, which is
slow. The first note whether they have met a rare one; then these elements are computed again by the
second. What a kernel writes is never what it reads, so it may be run twice.

The exponent of a power is 2 most often, which is a product. Where it is a parameter of the kernel,
the loops are compiled once more for this exponent.
"""

from __future__ import annotations

import torch

from minits.kernels.ir.kernel import Kernel, Scalar
from minits.kernels.scalar_ops import WITH_RARE_OPERANDS
from minits.kernels.scalar_ops.row import computed_in
from minits.records import dataclass

AT_ONCE = 8192
"""Elements that are computed before it is looked whether any was rare."""
EXPONENT = 2.0
"""The usual one."""


@dataclass(frozen=True, slots=True)
class Usual:
    """The assumptions of some loops.

    `rare` are the dtypes of which there may be rare operands. `exponent` is the number of the
    parameter that is `EXPONENT` in one version of the loops, if there is one.
    """

    rare: tuple[torch.dtype, ...] = ()
    exponent: int | None = None


def usual_operands(kernel: Kernel) -> Usual:
    """Return the assumptions that loops of a kernel are to make."""
    found = {rare_dtype(value) for value in kernel.values}
    rare = tuple([dtype for dtype in (torch.float32, torch.float64) if dtype in found])
    return Usual(rare, _exponent(kernel))


def rare_dtype(value: Scalar) -> torch.dtype | None:
    """Return the dtype in which a value is computed, if there may be rare operands."""
    if value.op not in WITH_RARE_OPERANDS:
        return None
    dtype = computed_in(value.operands[0].dtype)
    return dtype if dtype.is_floating_point else None


def exponent_parameter(power: Scalar) -> int | None:
    """Return the number of the parameter that is the exponent of a power, or None."""
    exponent = power.operands[1]
    while exponent.op == "cast" and exponent.dtype.is_floating_point:
        exponent = exponent.operands[0]
    return exponent.payload if exponent.op == "parameter" else None


def _exponent(kernel: Kernel) -> int | None:
    """Return the parameter that is the exponent of floating-point powers, if there is just one."""
    powers = [v for v in kernel.values if v.op == "pow" and v.dtype.is_floating_point]
    found = {exponent_parameter(power) for power in powers} - {None}
    return found.pop() if len(found) == 1 else None
