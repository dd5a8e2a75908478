"""The table of scalar operations: one row each, for all that is made of kernels."""

from minits.kernels.scalar_ops.arithmetic import ARITHMETIC
from minits.kernels.scalar_ops.row import ScalarOp

SCALAR_OPS: dict[str, ScalarOp] = {row.name: row for row in [*ARITHMETIC]}

__all__ = ["SCALAR_OPS", "ScalarOp"]
