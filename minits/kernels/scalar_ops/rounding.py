"""Scalar operations: rounding to whole numbers. Integers stay as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minits.kernels.scalar_ops.row import ScalarOp
from minits.kernels.scalar_ops.terms import by, flat
from minits.kernels.scalar_ops.texts import scalar_op


def _of_floats(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: function(x) if x.dtype.kind == "f" else x


ROUNDING: list[ScalarOp] = [
    scalar_op(
        "floor", 1, _of_floats(np.floor), {"f": "mts_floor_{T}({0})", "i": "{0}"}, flat(1),
        dtypes="rounding", cuda="floor", is_exact=True,
    ),
    scalar_op(
        "ceil", 1, _of_floats(np.ceil), {"f": "mts_ceil_{T}({0})", "i": "{0}"}, flat(1),
        dtypes="rounding", cuda="ceil", is_exact=True,
    ),
    scalar_op(
        "trunc", 1, _of_floats(np.trunc), {"f": "mts_trunc_{T}({0})", "i": "{0}"}, flat(1),
        dtypes="rounding", cuda="trunc", aliases=("fix",), is_exact=True,
    ),
    scalar_op(
        "round", 1, _of_floats(np.rint), {"f": "mts_round_{T}({0})", "i": "{0}"}, flat(1),
        dtypes="rounding", cuda="rint", aliases=("special_round",), is_exact=True,
    ),
    scalar_op(
        "frac", 1, lambda x: x - np.trunc(x), "({0} - mts_trunc_{T}({0}))", by(lambda g, y, x: g),
        cost=2, dtypes="plain",
    ),
]  # fmt: skip
