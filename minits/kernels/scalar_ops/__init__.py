"""The table of scalar operations: one row each, for all that is made of kernels."""

from minits.kernels.scalar_ops.activations import CURVES, RECTIFIERS
from minits.kernels.scalar_ops.arithmetic import ARITHMETIC, EXTREMA
from minits.kernels.scalar_ops.exp_log import EXP_LOG
from minits.kernels.scalar_ops.logic import CHOICES, COMPARISONS, LOGIC, TESTS
from minits.kernels.scalar_ops.rounding import ROUNDING
from minits.kernels.scalar_ops.row import ScalarOp
from minits.kernels.scalar_ops.special import SPECIAL
from minits.kernels.scalar_ops.texts import with_cuda_texts
from minits.kernels.scalar_ops.trigonometry import TRIGONOMETRY

SCALAR_OPS: dict[str, ScalarOp] = with_cuda_texts([
    *ARITHMETIC, *EXTREMA, *COMPARISONS, *TESTS, *LOGIC, *CHOICES,
    *EXP_LOG, *TRIGONOMETRY, *ROUNDING, *SPECIAL, *RECTIFIERS, *CURVES,
])  # fmt: skip
WITH_RARE_OPERANDS = frozenset(row.name for row in SCALAR_OPS.values() if row.has_rare_operands)

__all__ = ["SCALAR_OPS", "WITH_RARE_OPERANDS", "ScalarOp"]
