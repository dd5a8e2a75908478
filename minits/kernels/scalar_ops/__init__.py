"""The table of scalar operations: one row each, for all that is made of kernels.

row           the fields of a row, begin here: meaning by numpy, text in C, derivative, cost
terms, texts  writing derivatives as formulas; from a text in C to one in CUDA
arithmetic, logic, rounding, exp_log, trigonometry, special, activations   the rows

The printers take the texts, `kernels/ir/evaluate.py` the meaning, `gradients/gradient.py` the
derivatives, and `lowering` the names of torch's operators.
"""

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
