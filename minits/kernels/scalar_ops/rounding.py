"""Scalar operations: rounding to whole numbers. Integers stay as they are."""

from __future__ import annotations

import numpy as np

from minits.kernels.scalar_ops.row import ScalarOp
from minits.kernels.scalar_ops.terms import by, flat
from minits.kernels.scalar_ops.texts import scalar_op

ROUNDING: list[ScalarOp] = [
    scalar_op("floor", 1, np.floor, {"f": "mts_floor_{T}({0})", "i": "{0}"}, flat(1)),
    scalar_op("ceil", 1, np.ceil, {"f": "mts_ceil_{T}({0})", "i": "{0}"}, flat(1)),
    scalar_op("trunc", 1, np.trunc, {"f": "mts_trunc_{T}({0})", "i": "{0}"}, flat(1)),
    scalar_op("round", 1, np.rint, {"f": "mts_round_{T}({0})", "i": "{0}"}, flat(1)),
    scalar_op(
        "frac", 1, lambda x: x - np.trunc(x), "({0} - mts_trunc_{T}({0}))", by(lambda g, y, x: g),
        cost=2,
    ),
]  # fmt: skip
