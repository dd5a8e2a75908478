"""Scalar operations: activation functions. Their parameters are operands, as numbers in torch."""

from __future__ import annotations

import math
from math import pi, sqrt
from typing import Any

import numpy as np

from minits.kernels.scalar_ops.row import ScalarOp
from minits.kernels.scalar_ops.terms import Term, apply, by, only_where, where
from minits.kernels.scalar_ops.texts import scalar_op

_erf = np.frompyfunc(math.erf, 1, 1)

# ---- Lines with corners --------------------------------------------------------------------------


def _clamp(x: Any, low: float, high: float) -> Any:
    return np.where(x < low, low, np.where(x > high, high, x))


def _hardtanh_backward(g: Term, y: Term, x: Term, low: Term, high: Term) -> tuple[Any, ...]:
    return only_where((x > low) & (x < high), g), None, None


def _hardswish_backward(g: Term, y: Term, x: Term) -> Term:
    return where(x <= -3.0, 0.0, where(x >= 3.0, g, g * (x / 3 + 0.5)))


def _prelu_backward(g: Term, y: Term, x: Term, slope: Term) -> tuple[Term, Term]:
    is_positive = x > 0.0
    return where(is_positive, g, slope * g), where(is_positive, 0.0, x * g)


def _softshrink(x: Any, by: Any) -> Any:
    """A small number becomes a zero of its sign."""
    return np.where(x > by, x - by, np.where(x < -by, x + by, x * 0))


def _shrink_backward(g: Term, y: Term, x: Term, by: Term) -> tuple[Any, ...]:
    return only_where((x > by) | (x < -by), g), None


A_SIXTH = float(np.float32(1) / np.float32(6))
"""In the derivative of `hardsigmoid`, of float64 as well."""
_SIXTHS = "({0} + ({t})3 < 0 ? ({t})0 : {0} + ({t})3 > 6 ? ({t})6 : {0} + ({t})3)"
"""`clamp(x + 3, 0, 6)`; NaN stays."""

RECTIFIERS: list[ScalarOp] = [
    scalar_op(
        "relu", 1, lambda x: np.where(x < 0, 0, x), {"fi": "({0} < 0 ? ({t})0 : {0})"},
        by(lambda g, y, x: where(y <= 0.0, 0.0, g)), dtypes="plain", is_exact=True,
    ),
    scalar_op(
        "relu6", 1, lambda x: _clamp(x, 0, 6),
        {"fi": "({0} < 0 ? ({t})0 : {0} > 6 ? ({t})6 : {0})"},
        by(lambda g, y, x: only_where((x > 0.0) & (x < 6.0), g)), cost=2, dtypes="plain",
        strides="like_first", is_exact=True,
    ),
    scalar_op(
        "hardtanh", 3, _clamp, {"fi": "({0} < {1} ? {1} : {0} > {2} ? {2} : {0})"},
        by(_hardtanh_backward), cost=2, is_exact=True,
    ),
    scalar_op(
        "hardsigmoid", 1, lambda x: _clamp(x + 3, 0, 6) / 6, f"({_SIXTHS} / ({{t}})6)",
        by(lambda g, y, x: only_where((x > -3.0) & (x < 3.0), g * A_SIXTH)), cost=6,
    ),
    scalar_op(
        "hardswish", 1, lambda x: x * _clamp(x + 3, 0, 6) / 6, f"({{0}} * {_SIXTHS} / ({{t}})6)",
        by(_hardswish_backward), cost=7,
    ),
    scalar_op(
        "leaky_relu", 2, lambda x, slope: np.where(x > 0, x, x * slope),
        "({0} > 0 ? {0} : {0} * {1})",
        by(lambda g, y, x, slope: (where(x > 0.0, g, g * slope), None)), cost=2,
    ),
    scalar_op(
        "prelu", 2, lambda x, slope: np.where(x > 0, x, x * slope), "({0} > 0 ? {0} : {0} * {1})",
        by(_prelu_backward), cost=2,
    ),
    scalar_op(
        "threshold", 3, lambda x, limit, value: np.where(x <= limit, value, x),
        {"fi": "({0} <= {1} ? {2} : {0})"},
        by(lambda g, y, x, limit, value: (where(x <= limit, 0.0, g), None, None)), is_exact=True,
    ),
    scalar_op(
        "hardshrink", 2, lambda x, by: np.where((x >= -by) & (x <= by), 0, x),
        "({0} >= -{1} && {0} <= {1} ? ({t})0 : {0})", by(_shrink_backward), cost=2,
    ),
    scalar_op(
        "softshrink", 2, _softshrink,
        "({0} > {1} ? {0} - {1} : {0} < -{1} ? {0} + {1} : {0} * ({t})0)",
        by(_shrink_backward), cost=3,
    ),
    scalar_op(
        "softsign", 1, lambda x: x / (1 + np.abs(x)), "({0} / (({t})1 + ({t})__builtin_fabs({0})))",
        by(lambda g, y, x: g / apply("square", 1 + apply("abs", x))), aten=None, cost=5,
    ),
]  # fmt: skip

# ---- Curves --------------------------------------------------------------------------------------

SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
BETA, KAPPA = sqrt(2 / pi), 0.044715
"""Of gelu's approximation: `0.5 * x * (1 + tanh(BETA * (x + KAPPA * x**3)))`."""


def _elu(x: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    return np.where(x < 0, np.expm1(x * input_scale) * (alpha * scale), x * scale)


def _elu_backward(
    g: Term, y: Term, x: Term, alpha: Term, scale: Term, input_scale: Term
) -> tuple[Any, ...]:
    steep = g * input_scale * (alpha * scale) * apply("exp", x * input_scale)
    return where(x > 0.0, g * scale, steep), None, None, None


def _celu_backward(g: Term, y: Term, x: Term, alpha: Term) -> tuple[Any, ...]:
    """An infinite alpha times its reciprocal is NaN, as in eager."""
    slope = 1 / alpha
    return where(x > 0.0, g, g * (slope * alpha) * apply("exp", x * slope)), None


def _selu_backward(g: Term, y: Term, x: Term) -> Term:
    return where(x > 0.0, g * SELU_SCALE, g * (SELU_ALPHA * SELU_SCALE) * apply("exp", x))


def _silu_backward(g: Term, y: Term, x: Term) -> Term:
    s = apply("sigmoid", x)
    return g * s * (1 + x * (1 - s))


def _mish_backward(g: Term, y: Term, x: Term) -> Term:
    t = apply("tanh", apply("log1p", apply("exp", x)))
    return g * (t + x * apply("sigmoid", x) * (1 - t * t))


def _softplus_backward(g: Term, y: Term, x: Term, beta: Term, threshold: Term) -> tuple[Any, ...]:
    z = apply("exp", x * beta)
    return where(x * beta > threshold, g, g * z / (z + 1)), None, None


def _log_sigmoid_backward(g: Term, y: Term, x: Term) -> Term:
    z = apply("exp", -apply("abs", x))
    rest = z / (1 + z)
    return g * where(x < 0.0, 1 - rest, rest)


def _gelu_erf(x: Any) -> Any:
    bell = np.asarray(_erf((x * sqrt(0.5)).astype(np.float64)), np.float64).astype(x.dtype)
    return x * 0.5 * (1 + bell)


def _gelu_erf_backward(g: Term, y: Term, x: Term) -> Term:
    cdf = 0.5 * (1 + apply("erf", x * sqrt(0.5)))
    pdf = 1 / sqrt(2 * pi) * apply("exp", x * x * -0.5)
    return g * (cdf + x * pdf)


def _gelu_tanh(x: Any) -> Any:
    return 0.5 * x * (1 + np.tanh(BETA * (x + KAPPA * (x * x * x))))


def _gelu_tanh_backward(g: Term, y: Term, x: Term) -> Term:
    """Made of `sigmoid(2 * u)`, which is `0.5 * (1 + tanh(u))`: cheaper than a tanh."""
    square = x * x
    s = apply("sigmoid", 2 * BETA * (x + KAPPA * (square * x)))
    inner = 2 * BETA * (1 + 3 * KAPPA * square)
    return g * (s + x * (s * (1 - s)) * inner)


CURVES: list[ScalarOp] = [
    scalar_op(
        "elu", 4, _elu,
        "({0} < 0 ? mts_expm1_{T}({0} * {3}) * ({1} * {2}) : {0} * {2})",
        by(_elu_backward), cost=17,
    ),
    scalar_op(
        "celu", 2, lambda x, alpha: np.where(x < 0, np.expm1(x * (1 / alpha)) * alpha, x),
        "({0} < 0 ? mts_expm1_{T}({0} * (({t})1 / {1})) * {1} : {0})", by(_celu_backward), cost=17,
    ),
    scalar_op(
        "selu", 1, lambda x: _elu(x, SELU_ALPHA, SELU_SCALE, 1.0),
        f"({{0}} < 0 ? mts_expm1_{{T}}({{0}}) * ({{t}}){SELU_ALPHA * SELU_SCALE!r}"
        f" : {{0}} * ({{t}}){SELU_SCALE!r})",
        by(_selu_backward), cost=17,
    ),
    scalar_op(
        "silu", 1, lambda x: x / (1 + np.exp(-x)), "({0} / mts_one_plus_exp_{T}(-{0}))",
        by(_silu_backward), cuda={"f": "({0} / (({t})1 + exp(-{0})))"}, cost=15,
    ),
    scalar_op(
        "mish", 1, lambda x: x * np.tanh(np.log1p(np.exp(x))),
        "mts_mish_{T}({0})", by(_mish_backward),
        cuda={"f": "({0} * tanh(log1p(exp({0}))))"}, cost=20,
    ),
    scalar_op(
        "gelu_erf", 1, _gelu_erf,
        f"({{0}} * ({{t}})0.5 * (({{t}})1 + mts_erf_{{T}}({{0}} * ({{t}}){sqrt(0.5)!r})))",
        by(_gelu_erf_backward), aten="aten::gelu", cost=24,
    ),
    scalar_op(
        "gelu_tanh", 1, _gelu_tanh,
        f"({{0}} / mts_one_plus_exp_{{T}}(({{t}})-{2 * BETA!r} * ({{0}} + "
        f"({{t}}){KAPPA!r} * ({{0}} * {{0}} * {{0}}))))",
        by(_gelu_tanh_backward), aten="aten::gelu", cost=17,
    ),
    scalar_op(
        "softplus", 3,
        lambda x, beta, limit: np.where(x * beta > limit, x, np.log1p(np.exp(x * beta)) / beta),
        "({0} * {1} > {2} ? {0} : mts_log1p_{T}(mts_exp_{T}({0} * {1})) / {1})",
        by(_softplus_backward), cost=30,
    ),
    scalar_op(
        "log_sigmoid", 1, lambda x: np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x))),
        "(({0} > 0 ? ({t})0 : {0}) - mts_log1p_{T}(mts_exp_{T}(-({t})__builtin_fabs({0}))))",
        by(_log_sigmoid_backward), cost=28,
    ),
    scalar_op(
        "tanhshrink", 1, lambda x: x - np.tanh(x), "({0} - mts_tanh_{T}({0}))",
        by(lambda g, y, x: g * apply("square", apply("tanh", x))), aten=None, cost=16,
    ),
]  # fmt: skip
