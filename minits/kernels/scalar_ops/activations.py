"""Scalar operations: activation functions. Their parameters are operands."""

from __future__ import annotations

import numpy as np

from minits.kernels.scalar_ops.row import ScalarOp
from minits.kernels.scalar_ops.terms import by, only_where
from minits.kernels.scalar_ops.texts import scalar_op

RECTIFIERS: list[ScalarOp] = [
    scalar_op(
        "relu", 1, lambda x: np.maximum(x, 0),
        {"f": "({0} > 0 || {0} != {0} ? {0} : ({t})0)", "i": "({0} > 0 ? {0} : ({t})0)"},
        by(lambda g, y, x: only_where(y > 0.0, g)),
    ),
]  # fmt: skip
