"""Scalar operations: arithmetic."""

from __future__ import annotations

from math import log, pi
from typing import Any

import numpy as np

from minits.kernels.scalar_ops.row import ScalarOp
from minits.kernels.scalar_ops.terms import Term, apply, by, equal, flat, only_where, where
from minits.kernels.scalar_ops.texts import scalar_op

# ---- What numpy does otherwise than torch --------------------------------------------------------


def _trunc_divide(a: Any, b: Any) -> Any:
    if a.dtype.kind == "f":
        return np.trunc(a / b)
    quotient = np.floor_divide(a, b)
    return np.where((np.fmod(a, b) != 0) & ((a < 0) != (b < 0)), quotient + 1, quotient)


def _floor_divide(a: Any, b: Any) -> Any:
    """Do `np.floor_divide`, but divide by zero as `/` does, as in torch."""
    quotient = np.floor_divide(a, b)
    if a.dtype.kind != "f":
        return quotient
    zero = np.where(np.signbit(a / b), -0.0, 0.0).astype(a.dtype)
    return np.where(b == 0, a / b, np.where(quotient == 0, zero, quotient))


def _remainder(a: Any, b: Any) -> Any:
    """Do `np.remainder`, but a zero keeps the sign of the dividend."""
    rest = np.fmod(a, b)
    if a.dtype.kind == "f":
        return np.where((rest != 0) & ((b < 0) != (rest < 0)), rest + b, rest)
    return np.where(b == 0, 0, np.remainder(a, b))


def _lcm(a: Any, b: Any) -> Any:
    """Do as C: short integers are multiplied as int, and only the result wraps around."""
    wide = np.int32 if a.dtype.itemsize < 4 else a.dtype
    a, b = a.astype(wide), b.astype(wide)
    shared = np.gcd(a, b)
    return np.where(shared == 0, 0, np.abs(a // np.where(shared == 0, 1, shared) * b))


def _lerp(start: Any, end: Any, weight: Any) -> Any:
    """From the end that is nearer."""
    step = end - start
    return np.where(np.abs(weight) < 0.5, _fma(weight, step, start), _fma(-step, 1 - weight, end))


def _fma(a: Any, b: Any, c: Any) -> Any:
    """`a * b + c`, rounded once; of float64, nearly always."""
    wide = {np.dtype(np.float32): np.float64, np.dtype(np.float64): np.longdouble}.get(a.dtype)
    if wide is None:
        return a * b + c
    return (a.astype(wide) * b + c).astype(a.dtype)


# ---- Derivatives ---------------------------------------------------------------------------------


def _copysign(g: Term, y: Term, a: Term, b: Term) -> tuple[Term, None]:
    return g * where(equal(a, 0.0), 0.0, y / a), None


def _lerp_backward(g: Term, y: Term, start: Term, end: Term, weight: Term) -> tuple[Term, ...]:
    return g * (1 - weight), g * weight, g * (end - start)


def _addcdiv_backward(g: Term, y: Term, x: Term, a: Term, b: Term, value: Term) -> tuple[Any, ...]:
    return g, g * (value / b), -g * (value * (a / (b * b))), None


# ---- Rows ----------------------------------------------------------------------------------------

_MULTIPLE = "({0} / mts_gcd_{T}({0}, {1}) * {1})"
_SIGN = "({t})(({0} > 0) - ({0} < 0))"

ARITHMETIC: list[ScalarOp] = [
    scalar_op(
        "add", 2, np.add, {"fi": "({0} + {1})", "b": "({0} | {1})"}, by(lambda g, y, a, b: (g, g))
    ),
    scalar_op(
        "sub", 2, np.subtract, {"fi": "({0} - {1})"}, by(lambda g, y, a, b: (g, -g)),
        aliases=("subtract",),
    ),
    scalar_op(
        "rsub", 2, lambda a, b: b - a, {"fi": "({1} - {0})"}, by(lambda g, y, a, b: (-g, g))
    ),
    scalar_op(
        "mul", 2, np.multiply, {"fi": "({0} * {1})", "b": "({0} & {1})"},
        by(lambda g, y, a, b: (g * b, g * a)), dtypes="plain", aliases=("multiply",),
    ),
    scalar_op(
        "div", 2, np.divide, "({0} / {1})", by(lambda g, y, a, b: (g / b, -g * (a / b / b))),
        cost=4, aliases=("divide", "true_divide"),
    ),
    scalar_op(
        "floor_divide", 2, _floor_divide, {"fi": "mts_floor_divide_{T}({0}, {1})"}, flat(2),
        cost=20, dtypes="dividing", has_rare_operands=True,
    ),
    scalar_op(
        "trunc_divide", 2, _trunc_divide,
        {"f": "mts_trunc_{T}({0} / {1})", "i": "mts_trunc_divide_{T}({0}, {1})"},
        flat(2), aten=None, cost=10,
    ),
    scalar_op(
        "remainder", 2, _remainder, {"fi": "mts_remainder_{T}({0}, {1})"},
        by(lambda g, y, a, b: (g, -g * apply("floor_divide", a, b))), cost=20, dtypes="dividing",
        has_rare_operands=True,
    ),
    scalar_op(
        "fmod", 2, np.fmod, {"fi": "mts_fmod_{T}({0}, {1})"},
        by(lambda g, y, a, b: (g, -g * apply("trunc_divide", a, b))), cost=20, dtypes="dividing",
        cuda="fmod", has_rare_operands=True,
    ),
    scalar_op(
        "neg", 1, np.negative, {"fi": "(-{0})"}, by(lambda g, y, x: -g), dtypes="plain",
        aliases=("negative",), is_exact=True,
    ),
    scalar_op("detach", 1, np.copy, {"fib": "{0}"}, flat(1), aten=None, is_exact=True),
    scalar_op(  # the first operand; its derivative by the second is given by the third
        "sloped", 3, lambda y, x, slope: np.copy(y), {"f": "{0}"},
        by(lambda g, result, y, x, slope: (g, g * slope, None)), aten=None, is_exact=True,
    ),
    scalar_op(
        "reciprocal", 1, np.reciprocal, "(({t})1 / {0})", by(lambda g, y, x: -g * (y * y)), cost=4,
        dtypes="floating",
    ),
    scalar_op("square", 1, np.square, {"fi": "({0} * {0})"}, by(lambda g, y, x: g * (2 * x))),
    scalar_op(
        "abs", 1, np.abs, {"f": "({t})__builtin_fabs({0})", "i": "({0} < 0 ? -{0} : {0})"},
        by(lambda g, y, x: g * apply("sgn", x)), aliases=("absolute",), is_exact=True,
    ),
    scalar_op(
        "sign", 1, lambda x: (x > 0) * 1 - (x < 0) * 1, {"fi": _SIGN, "b": "{0}"}, flat(1),
        dtypes="plain", is_exact=True,
    ),
    scalar_op(
        "sgn", 1, lambda x: (x > 0) * 1 - (x < 0) * 1, {"fi": _SIGN, "b": "{0}"}, flat(1),
        dtypes="plain", is_exact=True,
    ),
    scalar_op(
        "copysign", 2, np.copysign, "({t})__builtin_copysign({0}, {1})", by(_copysign), cost=2,
        dtypes="floating", is_exact=True,
    ),
    scalar_op(  # of real numbers
        "angle", 1, lambda x: np.where(np.isnan(x), x, np.where(x < 0, pi, 0)),
        f"({{0}} != {{0}} ? {{0}} : {{0}} < 0 ? ({{t}}){pi!r} : ({{t}})0)", flat(1), cost=2,
    ),
    scalar_op(
        "hypot", 2, np.hypot, "mts_hypot_{T}({0}, {1})",
        by(lambda g, y, a, b: (g * (a / y), g * (b / y))), cost=12, dtypes="plain", cuda="hypot",
    ),
    scalar_op("gcd", 2, np.gcd, {"i": "mts_gcd_{T}({0}, {1})"}, cost=60, dtypes="plain"),
    scalar_op(
        "lcm", 2, _lcm,
        {"i": "(mts_gcd_{T}({0}, {1}) == 0 ? ({t})0 : "
              f"{_MULTIPLE} < 0 ? -{_MULTIPLE} : {_MULTIPLE})"},
        cost=80, dtypes="plain",
    ),
    scalar_op(
        "heaviside", 2, lambda x, at_zero: np.where(x == 0, at_zero, x > 0),
        {"fi": "({0} == 0 ? {1} : ({t})({0} > 0))", "b": "({0} | {1})"}, cost=2,
    ),
    scalar_op(
        "nextafter", 2, np.nextafter, "mts_nextafter_{T}({0}, {1})", cost=12, cuda="nextafter"
    ),
    scalar_op(
        "ldexp", 2, lambda x, e: x * np.exp2(e), "({0} * mts_exp2_{T}({1}))",
        by(lambda g, y, x, e: (g * apply("exp2", e), g * (y * log(2)))), cost=12,
    ),
    scalar_op(
        "deg2rad", 1, lambda x: x * (pi / 180), f"({{0}} * ({{t}}){pi / 180!r})",
        by(lambda g, y, x: g * (pi / 180)), dtypes="floating", strides="like_first",
    ),
    scalar_op(
        "rad2deg", 1, lambda x: x * (180 / pi), f"({{0}} * ({{t}}){180 / pi!r})",
        by(lambda g, y, x: g * (180 / pi)), dtypes="floating", strides="like_first",
    ),
    scalar_op(
        "fma", 3, _fma, {"f": "mts_fma_{T}({0}, {1}, {2})", "i": "({0} * {1} + {2})"},
        by(lambda g, y, a, b, c: (g * b, g * a, g)), aten=None, cuda="fma",
    ),
    scalar_op(
        "addcmul", 4, lambda x, a, b, value: _fma(value * a, b, x),
        {"f": "mts_fma_{T}({3} * {1}, {2}, {0})", "i": "({0} + {3} * {1} * {2})"},
        by(lambda g, y, x, a, b, value: (g, g * (b * value), g * (a * value), None)), cost=3,
    ),
    scalar_op(
        "addcdiv", 4, lambda x, a, b, value: x + value * a / b, "({0} + {3} * {1} / {2})",
        by(_addcdiv_backward), cost=6,
    ),
    scalar_op(
        "lerp", 3, _lerp,
        "(({t})__builtin_fabs({2}) < ({t})0.5 ? mts_fma_{T}({2}, {1} - {0}, {0})"
        " : mts_fma_{T}({0} - {1}, ({t})1 - {2}, {1}))",
        by(_lerp_backward), cost=5,
    ),
]  # fmt: skip

# ---- The larger, the smaller, and what lies between ----------------------------------------------


def _maximum(a: str, b: str) -> str:
    """NaN if either is: comparisons with it are false, so `b` is what is left."""
    return f"({a} > {b} || {a} != {a} ? {a} : {b})"


def _minimum(a: str, b: str) -> str:
    return f"({a} < {b} || {a} != {a} ? {a} : {b})"


def _maximum_backward(g: Term, y: Term, a: Term, b: Term) -> tuple[Term, Term]:
    shared = where(equal(a, b), g * 0.5, g)
    return where(a < b, 0.0, shared), where(a > b, 0.0, shared)


def _minimum_backward(g: Term, y: Term, a: Term, b: Term) -> tuple[Term, Term]:
    shared = where(equal(a, b), g * 0.5, g)
    return where(a > b, 0.0, shared), where(a < b, 0.0, shared)


def _fmax_backward(g: Term, y: Term, a: Term, b: Term) -> tuple[Term, Term]:
    takes_a = (a >= b) | apply("isnan", b)
    return only_where(takes_a, g), where(takes_a, 0.0, g)


def _fmin_backward(g: Term, y: Term, a: Term, b: Term) -> tuple[Term, Term]:
    takes_a = (a <= b) | apply("isnan", b)
    return only_where(takes_a, g), where(takes_a, 0.0, g)


def _clamp_backward(g: Term, y: Term, x: Term, low: Term, high: Term) -> tuple[Term, ...]:
    return (
        only_where((x >= low) & (x <= high), g),
        only_where((x < low) & (low < high), g),
        only_where((x > high) | (high < low), g),
    )


EXTREMA: list[ScalarOp] = [
    scalar_op(
        "maximum", 2, np.maximum,
        {"f": _maximum("{0}", "{1}"), "i": "({0} > {1} ? {0} : {1})", "b": "({0} | {1})"},
        by(_maximum_backward), dtypes="rounded", is_exact=True,
    ),
    scalar_op(
        "minimum", 2, np.minimum,
        {"f": _minimum("{0}", "{1}"), "i": "({0} < {1} ? {0} : {1})", "b": "({0} & {1})"},
        by(_minimum_backward), dtypes="rounded", is_exact=True,
    ),
    scalar_op(
        "fmax", 2, np.fmax,
        {"f": "({0} >= {1} || {1} != {1} ? {0} : {1})", "i": "({0} > {1} ? {0} : {1})",
         "b": "({0} | {1})"},
        by(_fmax_backward), dtypes="rounded", is_exact=True,
    ),
    scalar_op(
        "fmin", 2, np.fmin,
        {"f": "({0} <= {1} || {1} != {1} ? {0} : {1})", "i": "({0} < {1} ? {0} : {1})",
         "b": "({0} & {1})"},
        by(_fmin_backward), dtypes="rounded", is_exact=True,
    ),
    scalar_op(
        "clamp", 3, lambda x, low, high: np.minimum(np.maximum(x, low), high),
        {"f": _minimum(_maximum("{0}", "{1}"), "{2}"),
         "i": "({0} > {2} || {1} > {2} ? {2} : {0} < {1} ? {1} : {0})"},
        by(_clamp_backward), cost=2, aliases=("clip",), is_exact=True,
    ),
    scalar_op(
        "clamp_min", 2, np.maximum,
        {"f": _maximum("{0}", "{1}"), "i": "({0} > {1} ? {0} : {1})", "b": "({0} | {1})"},
        by(lambda g, y, x, low: (only_where(x >= low, g), only_where(x < low, g))), is_exact=True,
    ),
    scalar_op(
        "clamp_max", 2, np.minimum,
        {"f": _minimum("{0}", "{1}"), "i": "({0} < {1} ? {0} : {1})", "b": "({0} & {1})"},
        by(lambda g, y, x, high: (only_where(x <= high, g), only_where(x > high, g))),
        is_exact=True,
    ),
]  # fmt: skip
