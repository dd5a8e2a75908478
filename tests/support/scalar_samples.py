"""Operands for the rows of the table of scalar operations, and how exact results must be."""

import torch

from minits.kernels.scalar_ops import SCALAR_OPS, ScalarOp

HALVES = (torch.float16, torch.bfloat16)
FLOATS = (torch.float64, torch.float32, *HALVES)
INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
DTYPES = (*FLOATS, *INTEGERS, torch.bool)

NUMBERS = (
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.25, 3.0, -3.0, 7.0, 20.5, -20.5, 100.0,
    1e-5, -1e-5, 1e-40, -1e-40, 1e4, -3e4, float("inf"), float("-inf"), float("nan"), 0.1, -0.7,
)  # fmt: skip

CANCELLING = (
    "fma addcmul addcdiv lerp logaddexp logaddexp2 ndtr gelu_erf gelu_tanh tanhshrink logit "
    "digamma lgamma erf"
).split()
"""Rows whose results may be much smaller than what they are the difference of."""


def samples(dtype: torch.dtype) -> torch.Tensor:
    """Special values, limits, and ordinary numbers."""
    if dtype == torch.bool:
        return torch.tensor([False, True])
    if dtype.is_floating_point:
        drawn = torch.randn(60, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
        numbers = torch.cat([torch.tensor(NUMBERS, dtype=torch.float64), drawn * 3])
        return numbers.to(dtype)
    limits = torch.iinfo(dtype)
    low = [limits.min, limits.min + 1] if limits.min else []
    return torch.tensor([*low, limits.max, limits.max - 1, *range(-9 if low else 0, 40)]).to(dtype)


def operands_of(name: str, dtype: torch.dtype) -> list[torch.Tensor]:
    """Operands of a row, all combinations of the samples (for three or more: some of them)."""
    one = samples(dtype)
    count = SCALAR_OPS[name].arity
    if count == 1:
        return [one]
    if count > 2:
        one = one[torch.linspace(0, len(one) - 1, 24).long()]
        every = torch.cartesian_prod(*[one] * 3)[::5]
        operands = [*every.unbind(1), every[:, 0].flip(0)][:count]
    else:
        operands = list(torch.cartesian_prod(one, one).unbind(1))
    if name == "where":
        operands[0] = operands[0] > 0 if dtype != torch.bool else operands[0]
    if name == "checked":
        operands[1] = torch.ones_like(operands[1])
    return [operand.contiguous() for operand in operands]


def tolerance(row: ScalarOp, dtype: torch.dtype) -> dict[str, float]:
    """`rtol` and `atol` for results in a dtype."""
    if not dtype.is_floating_point:
        return {"rtol": 0.0, "atol": 0.0}
    limits = torch.finfo(dtype)
    steps = 2 if dtype in HALVES else 8 if row.cost < 18 else 16
    atol = 8 * limits.eps if row.name in CANCELLING else 4 * limits.tiny
    return {"rtol": steps * limits.eps, "atol": atol}
