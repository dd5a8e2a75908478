"""Scalar operations: trigonometric and hyperbolic functions."""

from __future__ import annotations

import numpy as np

from minits.kernels.scalar_ops.row import ScalarOp
from minits.kernels.scalar_ops.terms import Term, apply, by, equal, where
from minits.kernels.scalar_ops.texts import scalar_op


def _atan2_backward(g: Term, y: Term, a: Term, b: Term) -> tuple[Term, Term]:
    square = a * a + b * b
    scaled = where(equal(square, 0.0), 0.0, g / square)
    return scaled * b, scaled * -a


def _rsqrt(x: Term) -> Term:
    return apply("rsqrt", x)


TRIGONOMETRY: list[ScalarOp] = [
    scalar_op(
        "sin", 1, np.sin, "mts_sin_{T}({0})", by(lambda g, y, x: g * apply("cos", x)), cost=15,
        dtypes="floating", cuda="sin", has_rare_operands=True,
    ),
    scalar_op(
        "cos", 1, np.cos, "mts_cos_{T}({0})", by(lambda g, y, x: g * -apply("sin", x)), cost=15,
        dtypes="floating", cuda="cos", has_rare_operands=True,
    ),
    scalar_op(
        "tan", 1, np.tan, "mts_tan_{T}({0})", by(lambda g, y, x: g * (1 + y * y)), cost=25,
        dtypes="floating", cuda="tan", has_rare_operands=True,
    ),
    scalar_op(
        "asin", 1, np.arcsin, "mts_asin_{T}({0})", by(lambda g, y, x: g * _rsqrt(1 - x * x)),
        cost=15, dtypes="floating", cuda="asin", aliases=("arcsin",),
    ),
    scalar_op(
        "acos", 1, np.arccos, "mts_acos_{T}({0})", by(lambda g, y, x: g * -_rsqrt(1 - x * x)),
        cost=15, dtypes="floating", cuda="acos", aliases=("arccos",),
    ),
    scalar_op(
        "atan", 1, np.arctan, "mts_atan_{T}({0})", by(lambda g, y, x: g / (x * x + 1)), cost=15,
        dtypes="floating", cuda="atan", aliases=("arctan",),
    ),
    scalar_op(
        "atan2", 2, np.arctan2, "mts_atan2_{T}({0}, {1})", by(_atan2_backward), cost=25,
        dtypes="floating", cuda="atan2", aliases=("arctan2",),
    ),
    scalar_op(
        "sinh", 1, np.sinh, "mts_sinh_{T}({0})", by(lambda g, y, x: g * apply("cosh", x)), cost=20,
        dtypes="floating", cuda="sinh",
    ),
    scalar_op(
        "cosh", 1, np.cosh, "mts_cosh_{T}({0})", by(lambda g, y, x: g * apply("sinh", x)), cost=20,
        dtypes="floating", cuda="cosh",
    ),
    scalar_op(
        "tanh", 1, np.tanh, "mts_tanh_{T}({0})", by(lambda g, y, x: g * (1 - y * y)), cost=15,
        dtypes="floating", cuda="tanh",
    ),
    scalar_op(
        "asinh", 1, np.arcsinh, "mts_asinh_{T}({0})", by(lambda g, y, x: g * _rsqrt(x * x + 1)),
        cost=25, dtypes="floating", cuda="asinh", aliases=("arcsinh",),
    ),
    scalar_op(
        "acosh", 1, np.arccosh, "mts_acosh_{T}({0})", by(lambda g, y, x: g * _rsqrt(x * x - 1)),
        cost=25, dtypes="floating", cuda="acosh", aliases=("arccosh",),
    ),
    scalar_op(
        "atanh", 1, np.arctanh, "mts_atanh_{T}({0})", by(lambda g, y, x: g / (1 - x * x)), cost=25,
        dtypes="floating", cuda="atanh", aliases=("arctanh",),
    ),
]  # fmt: skip
