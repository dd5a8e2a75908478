"""Scalar operations: exponentials, logarithms, powers, roots."""

from __future__ import annotations

from math import log, nan
from typing import Any

import numpy as np

from minits.kernels.scalar_ops.row import ScalarOp
from minits.kernels.scalar_ops.terms import Term, apply, by, equal, where
from minits.kernels.scalar_ops.texts import scalar_op

LN_2, LN_10 = log(2), log(10)

# ---- What numpy does not have --------------------------------------------------------------------


def _pow(base: Any, exponent: Any) -> Any:
    """Integers wrap around; to negative powers, they are what is left when truncated."""
    if base.dtype.kind == "f":
        return np.power(base, exponent)
    base, exponent = np.broadcast_arrays(base, exponent)
    result, square, rest = np.ones_like(base), base.copy(), np.maximum(exponent, 0)
    while rest.any():
        result = np.where(rest & 1, result * square, result)
        square, rest = square * square, rest >> 1
    is_odd = (exponent & 1) == 1
    negative = np.where(base == 1, 1, np.where(base == -1, np.where(is_odd, -1, 1), 0))
    return np.where(exponent < 0, negative, result)


def _logit(x: Any) -> Any:
    return np.log(x / (1 - x))


def _xlogy(x: Any, y: Any) -> Any:
    return np.where((x == 0) & ~np.isnan(y), 0, x * np.log(y))


def _xlog1py(x: Any, y: Any) -> Any:
    return np.where((x == 0) & ~np.isnan(y), 0, x * np.log1p(y))


# ---- Derivatives ---------------------------------------------------------------------------------


def _pow_backward(g: Term, y: Term, base: Term, exponent: Term) -> tuple[Term, Term]:
    steep = g * (exponent * apply("pow", base, exponent - 1))
    is_flat = equal(base, 0.0) & (exponent >= 0.0)
    return (
        where(equal(exponent, 0.0), 0.0, steep),
        g * where(is_flat, 0.0, y * apply("log", base)),
    )


def _logit_backward(g: Term, y: Term, x: Term) -> Term:
    return where((x < 0.0) | (x > 1.0), nan, g / (apply("abs", x) * (1 - x)))


def _xlogy_backward(g: Term, y: Term, x: Term, of: Term) -> tuple[Term, Term]:
    is_flat = equal(x, 0.0) & (of <= 0.0)
    return where(is_flat, 0.0, apply("xlogy", g, of)), g * x / of


def _xlog1py_backward(g: Term, y: Term, x: Term, of: Term) -> tuple[Term, Term]:
    is_flat = equal(x, 0.0) & (of <= -1.0)
    return where(is_flat, 0.0, apply("xlog1py", g, of)), g * x / (of + 1)


def _logaddexp_backward(g: Term, y: Term, a: Term, b: Term) -> tuple[Term, Term]:
    return g / (1 + apply("exp", b - a)), g / (1 + apply("exp", a - b))


def _logaddexp2_backward(g: Term, y: Term, a: Term, b: Term) -> tuple[Term, Term]:
    return g / (1 + apply("exp2", b - a)), g / (1 + apply("exp2", a - b))


# ---- Rows ----------------------------------------------------------------------------------------

EXP_LOG: list[ScalarOp] = [
    scalar_op(
        "exp", 1, np.exp, "mts_exp_{T}({0})", by(lambda g, y, x: g * y), cost=10, dtypes="floating",
        cuda="exp",
    ),
    scalar_op(
        "exp2", 1, np.exp2, "mts_exp2_{T}({0})", by(lambda g, y, x: g * (y * LN_2)), cost=10,
        dtypes="floating", cuda="exp2", aliases=("special_exp2",),
    ),
    scalar_op(
        "expm1", 1, np.expm1, "mts_expm1_{T}({0})", by(lambda g, y, x: g * (y + 1)), cost=15,
        dtypes="floating", cuda="expm1", aliases=("special_expm1",),
    ),
    scalar_op(
        "log", 1, np.log, "mts_log_{T}({0})", by(lambda g, y, x: g / x), cost=12, dtypes="floating",
        cuda="log",
    ),
    scalar_op(
        "log2", 1, np.log2, "mts_log2_{T}({0})", by(lambda g, y, x: g / (x * LN_2)), cost=12,
        dtypes="floating", cuda="log2",
    ),
    scalar_op(
        "log10", 1, np.log10, "mts_log10_{T}({0})", by(lambda g, y, x: g / (x * LN_10)), cost=12,
        dtypes="floating", cuda="log10",
    ),
    scalar_op(
        "log1p", 1, np.log1p, "mts_log1p_{T}({0})", by(lambda g, y, x: g / (x + 1)), cost=15,
        dtypes="floating", cuda="log1p", aliases=("special_log1p",),
    ),
    scalar_op(
        "sqrt", 1, np.sqrt, "({t})__builtin_sqrt({0})", by(lambda g, y, x: g / (2 * y)), cost=4,
        dtypes="floating",
    ),
    scalar_op(
        "rsqrt", 1, lambda x: 1 / np.sqrt(x), "(({t})1 / ({t})__builtin_sqrt({0}))",
        by(lambda g, y, x: -0.5 * g * (y * y * y)), cuda={"f": "rsqrt({0})"}, cost=6,
        dtypes="floating",
    ),
    scalar_op(
        "pow", 2, _pow, {"fi": "mts_pow_{T}({0}, {1})"}, by(_pow_backward), cost=40, cuda="pow"
    ),
    scalar_op(
        "sigmoid", 1, lambda x: 1 / (1 + np.exp(-x)), "mts_sigmoid_{T}({0})",
        by(lambda g, y, x: g * (1 - y) * y), cuda={"f": "(({t})1 / (({t})1 + exp(-{0})))"}, cost=15,
        dtypes="floating", aliases=("special_expit",),
    ),
    scalar_op(
        "logit", 1, _logit, "mts_log_{T}({0} / (({t})1 - {0}))", by(_logit_backward), cost=18,
        aliases=("special_logit",),
    ),
    scalar_op(
        "xlogy", 2, _xlogy, "({0} == 0 && {1} == {1} ? ({t})0 : {0} * mts_log_{T}({1}))",
        by(_xlogy_backward), cost=14, dtypes="floating", aliases=("special_xlogy",),
    ),
    scalar_op(
        "xlog1py", 2, _xlog1py, "({0} == 0 && {1} == {1} ? ({t})0 : {0} * mts_log1p_{T}({1}))",
        by(_xlog1py_backward), aten="aten::special_xlog1py", cost=17, dtypes="floating",
    ),
    scalar_op(
        "logaddexp", 2, np.logaddexp, "mts_logaddexp_{T}({0}, {1})", by(_logaddexp_backward),
        cost=30, dtypes="plain",
    ),
    scalar_op(
        "logaddexp2", 2, np.logaddexp2,
        "(__builtin_isinf({0}) && {0} == {1} ? {0} : ({0} > {1} ? {0} : {1}) + "
        f"({{t}}){1 / LN_2!r} * "
        "mts_log1p_{T}(mts_exp2_{T}(-({t})__builtin_fabs({0} - {1}))))",
        by(_logaddexp2_backward), cost=30, dtypes="plain",
    ),
]  # fmt: skip
