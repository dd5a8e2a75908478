"""Scalar operations: special functions."""

from __future__ import annotations

import math
from math import pi, sqrt
from typing import Any

import numpy as np
import torch

from minits.kernels.scalar_ops.row import ScalarOp
from minits.kernels.scalar_ops.terms import Term, apply, by, equal, flat, where
from minits.kernels.scalar_ops.texts import scalar_op

# ---- What numpy does not have --------------------------------------------------------------------


def _erfinv(x: float) -> float:
    from statistics import NormalDist  # slow to import, and of use to tests alone

    if abs(x) >= 1 or x != x or x == 0:
        return math.copysign(math.inf, x) if abs(x) == 1 else x if x == 0 else math.nan
    if abs(x) > 0.9:
        return math.copysign(-NormalDist().inv_cdf((1 - abs(x)) / 2) / sqrt(2), x)
    found = NormalDist().inv_cdf((1 + x) / 2) / sqrt(2)
    for _ in range(2):  # Newton's method: the quantile is not exact near zero
        found -= (math.erf(found) - x) * sqrt(pi) / 2 * math.exp(found * found)
    return found


def _lgamma(x: float) -> float:
    if math.isinf(x):
        return math.inf
    return math.inf if x <= 0 and x == math.floor(x) else math.lgamma(x)


def _digamma(x: float) -> float:
    """Reflection below zero, recurrence up to ten, the asymptotic series above."""
    if x == 0 or math.isinf(x):
        return math.copysign(math.inf, -x) if x == 0 else x if x > 0 else math.nan
    if x < 0:
        fraction = math.fmod(x, 1.0)
        return math.nan if fraction == 0 else _digamma(1 - x) - pi / math.tan(pi * fraction)
    shift = 0.0
    while x < 10:
        shift -= 1 / x
        x += 1
    y = 1 / (x * x)
    terms = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
    return shift + math.log(x) - 0.5 / x - sum(c * y**n for n, c in enumerate(terms, 1))


def _by_element(function: Any) -> Any:
    """A function of a Python float for arrays: in float64, rounded to their dtype."""
    every = np.frompyfunc(function, 1, 1)
    return lambda x: np.asarray(every(np.asarray(x, np.float64)), np.float64).astype(x.dtype)


def _by_elements(function: Any) -> Any:
    """The same of a function of two floats."""
    every = np.frompyfunc(function, 2, 1)
    wide = np.float64
    return lambda x, y: np.asarray(every(x.astype(wide), y.astype(wide)), wide).astype(x.dtype)


def _scaled_bessel(order: int, x: Any) -> Any:
    """`I_order(x) * exp(-abs(x))` in float64: a power series, from 20 on an asymptotic one."""
    x = np.asarray(x, np.float64)
    near, far = np.minimum(np.abs(x), 20), np.maximum(np.abs(x), 20)
    term = total = (near / 2) ** order
    for k in range(1, 70):
        term = term * (near / 2) ** 2 / (k * (k + order))
        total = total + term
    factor = asymptotic = np.ones_like(far)
    for k in range(1, 25):
        factor = factor * ((2 * k - 1) ** 2 - 4 * order**2) / (k * 8 * far)
        asymptotic = asymptotic + factor
    scaled = np.where(np.abs(x) <= 20, total * np.exp(-near), asymptotic / np.sqrt(2 * pi * far))
    scaled = np.where(np.isnan(x), x, scaled)
    return np.where(x < 0, (-1) ** order * scaled, scaled)


def _bessel(order: int) -> Any:
    def function(x: Any) -> Any:
        wide = np.abs(np.asarray(x, np.float64))
        half = np.exp(wide / 2)  # exp(x) by itself overflows before the result does
        return (_scaled_bessel(order, x) * half * half).astype(x.dtype)

    return function


def _i0e(x: Any) -> Any:
    return _scaled_bessel(0, x).astype(x.dtype)


def _i1e(x: Any) -> Any:
    return _scaled_bessel(1, x).astype(x.dtype)


def _erfcx(x: float) -> float:
    """Compute erfcx by a continued fraction from two on, and by erfc, exact enough there, below."""
    if x < 2:
        square, lost = _square(x)
        power = _exp(square)
        return power * math.erfc(x) * (1 + lost if power < math.inf else 1)
    rest = x
    for k in range(120, 0, -1):
        rest = x + k / 2 / rest
    return 1 / (sqrt(pi) * rest)


def _log_ndtr(x: Any) -> Any:
    """x / sqrt(2) is rounded, as in eager."""
    every = _by_element(_log_ndtr_of)
    return every(x * x.dtype.type(sqrt(0.5)))


def _log_ndtr_of(t: float) -> float:
    if t < -sqrt(0.5):
        return math.log(_erfcx(-t) / 2) - t * t if t > -math.inf else -math.inf
    return math.log1p(-math.erfc(t) / 2)


def _square(x: float) -> tuple[float, float]:
    """`x * x`, and by how much that is too small: by halves of x."""
    square = x * x
    if not 1e-100 < square < 1e100:
        return square, 0.0
    high = x * 134217729.0 - (x * 134217729.0 - x)
    low = x - high
    return square, ((high * high - square) + 2 * high * low) + low * low


def _exp(x: float) -> float:
    return math.exp(x) if not x > 709.78 else math.inf


def _zeta(x: float, q: float) -> float:
    """Thirty terms or more, and the integral and the first derivatives of what is left."""
    if x == 1 or (q <= 0 and _is_whole(q) and not x < 1):
        return math.inf
    if x < 1 or x != x or q != q or math.isinf(q) or (q <= 0 and not _is_whole(x)):
        return math.nan
    total, least = 0.0, max(40.0, q + 30)
    while q < least:
        total += _power(q, -x)
        q += 1
    if math.isinf(x):
        return total or math.nan
    last = _power(q, -x)
    sizes = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160)
    total += last * q / (x - 1) + last / 2
    for k, size in enumerate(sizes):
        total += last * size * math.prod(x + i for i in range(2 * k + 1)) / _power(q, 2 * k + 1)
    return total


def _is_whole(x: float) -> bool:
    return math.isinf(x) or (not math.isnan(x) and x == math.floor(x))


def _power(x: float, y: float) -> float:
    try:
        return math.pow(x, y)
    except OverflowError:
        return math.inf


def _entr(x: Any) -> Any:
    return np.where(x == 0, 0, np.where(x < 0, -np.inf, -x * np.log(x)))


def _ndtr(x: float) -> float:
    return 0.5 * (1 + math.erf(x * sqrt(0.5)))


# ---- Derivatives ---------------------------------------------------------------------------------


def trigamma(x: Term) -> Term:
    """The derivative of digamma: reflection, six steps of recurrence, an asymptotic series.

    It has nine digits. Eager has these very ones: a better series would be another function.
    Source: ATen/native/Math.h (`trigamma`)
    """
    is_small = x < 0.5
    sine = apply("sin", pi * x)
    z = where(is_small, 1 - x, x)
    total = 1 / (z * z)
    for _ in range(5):
        z = z + 1
        total = total + 1 / (z * z)
    z = z + 1
    y = 1 / (z * z)
    series = 1 + 1 / (2 * z) + y * (1 / 6 - y * (1 / 30 - y * (1 / 42)))
    total = total + series / z
    return where(is_small, pi * pi / (sine * sine) - total, total)


_ZETA = (
    12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1.8924375803183791606e9,
    7.47242496e10, -2.950130727918164224e12, 1.1646782814350067249e14,
    -4.5979787224074726105e15, 1.8152105401943546773e17, -7.1661652561756670113e18,
)  # fmt: skip
"""Factorials of even numbers over Bernoulli's numbers: `(2k)! / B(2k)`."""


def tetragamma(x: Term) -> Term:
    """The derivative of trigamma, `-2 zeta(3, x)`: nine terms, and what Euler and Maclaurin add.

    Below zero by reflection, with sines of what is left of x without its whole part.
    Source: ATen/native/Math.h (`zeta`)
    """
    is_negative, rest = x < 0, x - apply("round", x)
    z = where(is_negative, 1 - x, x)
    term = 1 / (z * z * z)
    total = term
    for _ in range(9):
        z = z + 1
        term = 1 / (z * z * z)
        total = total + term
    total = total + term * (0.5 * z - 0.5 + _euler_maclaurin(z))
    sine, cosine = apply("sin", pi * rest), apply("sin", pi * (0.5 - apply("abs", rest)))
    found = where(is_negative, -2 * (total + pi**3 * cosine / (sine * sine * sine)), -2 * total)
    return where(equal(x, apply("round", x)) & (x <= 0), -math.inf, found)


def _euler_maclaurin(z: Term) -> Term:
    """`sum((2k + 2)! / 2 / z ** (2k - 1) * B(2k) / (2k)!)` for k from 1 on."""
    y, series = 1 / (z * z), 0 * z
    for k, divisor in reversed(list(enumerate(_ZETA, 1))):
        series = series * y + math.factorial(2 * k + 1) / 2 / divisor
    return series / z


def _i0e_backward(g: Term, y: Term, x: Term) -> Term:
    """`i1e(x) - sgn(x) * i0e(x)`; by a series where `i0` and `i1` would overflow."""
    limit = 600.0 if x.scalar.dtype == torch.float64 else 80.0
    size = apply("abs", x)
    near, far = apply("clamp_max", size, limit), 1 / apply("clamp_min", size, limit)
    series = far * (0.5 + far * (1 / 8 + far * (1 / 8 + far * (25 / 128))))
    less = where(size < limit, 1 - apply("i1", near) / apply("i0", near), series)
    return -g * (apply("sgn", x) * (y * less))


def _i1_backward(g: Term, y: Term, x: Term) -> Term:
    """A half at NaN, too, as in eager."""
    is_large = apply("abs", x) > torch.finfo(x.scalar.dtype).eps
    return g * where(is_large, apply("i0", x) - y / where(is_large, x, 1.0), 0.5)


def _i1e_backward(g: Term, y: Term, x: Term) -> Term:
    """A half at NaN, too, as in eager."""
    is_large = apply("abs", x) > torch.finfo(x.scalar.dtype).eps
    safe = where(is_large, x, 1.0)
    slope = apply("i0e", safe) - y * (apply("sgn", safe) + 1 / safe)
    return g * where(is_large, slope, 0.5)


def _power_of_exponent(x: Term) -> Term:
    """In float32, as eager's `exp2` of int32 is."""
    k, exponent = x.k, apply("exponent", x)
    power = k("exp2", k.cast(exponent.scalar, torch.float32))
    return Term(k, k.cast(power, x.scalar.dtype))


def _sinc_backward(g: Term, y: Term, x: Term) -> Term:
    is_flat = equal(x * x * pi, 0.0)
    scaled = x * pi
    slope = (scaled * apply("cos", scaled) - apply("sin", scaled)) / (x * x * pi)
    return where(is_flat, 0.0, g * slope)


def _bell(x: Term) -> Term:
    return apply("exp", -(x * x))


# ---- Rows ----------------------------------------------------------------------------------------

SPECIAL: list[ScalarOp] = [
    scalar_op(
        "erf", 1, _by_element(math.erf), "mts_erf_{T}({0})",
        by(lambda g, y, x: g * (2 / sqrt(pi) * _bell(x))), cost=20, dtypes="floating", cuda="erf",
        aliases=("special_erf",),
    ),
    scalar_op(
        "erfc", 1, _by_element(math.erfc), "mts_erfc_{T}({0})",
        by(lambda g, y, x: g * (-2 / sqrt(pi) * _bell(x))), cost=30, dtypes="floating", cuda="erfc",
        aliases=("special_erfc",),
    ),
    scalar_op(
        "erfinv", 1, _by_element(_erfinv), "mts_erfinv_{T}({0})",
        by(lambda g, y, x: g * (sqrt(pi) / 2 * apply("exp", y * y))), cost=40, dtypes="floating",
        cuda="erfinv", aliases=("special_erfinv",),
    ),
    scalar_op(
        "ndtr", 1, _by_element(_ndtr),
        f"(({{t}})0.5 * (({{t}})1 + mts_erf_{{T}}({{0}} * ({{t}}){sqrt(0.5)!r})))",
        by(lambda g, y, x: g * (1 / sqrt(2 * pi) * apply("exp", -0.5 * (x * x)))),
        aten="aten::special_ndtr", cost=32,
    ),
    scalar_op(
        "lgamma", 1, _by_element(_lgamma), "mts_lgamma_{T}({0})",
        by(lambda g, y, x: g * apply("digamma", x)), cost=60, dtypes="floating",
        cuda="lgamma", has_rare_operands=True, aliases=("special_gammaln",),
    ),
    scalar_op(
        "digamma", 1, _by_element(_digamma), "mts_digamma_{T}({0})",
        by(lambda g, y, x: g * trigamma(x)), cost=60, dtypes="floating",
        aliases=("special_digamma", "special_psi"),
    ),
    scalar_op(
        "i0", 1, _bessel(0), "mts_i0_{T}({0})", by(lambda g, y, x: g * apply("i1", x)), cost=60,
        dtypes="floating", cuda="cyl_bessel_i0", aliases=("special_i0",),
    ),
    scalar_op(
        "i0e", 1, _i0e, "mts_i0e_{T}({0})", by(_i0e_backward), aten="aten::special_i0e", cost=50,
        dtypes="not_of_halves",
    ),
    scalar_op(
        "i1", 1, _bessel(1), "mts_i1_{T}({0})", by(_i1_backward), aten="aten::special_i1", cost=60,
        dtypes="not_of_halves", cuda="cyl_bessel_i1",
    ),
    scalar_op(
        "i1e", 1, _i1e, "mts_i1e_{T}({0})", by(_i1e_backward), aten="aten::special_i1e", cost=50,
        dtypes="not_of_halves",
    ),
    scalar_op(
        "erfcx", 1, _by_element(_erfcx), "mts_erfcx_{T}({0})",
        by(lambda g, y, x: g * (2 * x * y - 2 / sqrt(pi))), aten="aten::special_erfcx", cost=60,
        dtypes="not_of_halves",
    ),
    scalar_op(
        "log_ndtr", 1, _log_ndtr, "mts_log_ndtr_{T}({0})",
        by(lambda g, y, x: g * (apply("exp", -(y + x * x / 2)) * (1 / sqrt(2 * pi)))),
        aten="aten::special_log_ndtr", cost=60, dtypes="not_of_halves",
    ),
    scalar_op(
        "zeta", 2, _by_elements(_zeta), "mts_zeta_{T}({0}, {1})",
        by(lambda g, y, x, q: (NotImplemented, -g * (x * apply("zeta", x + 1, q)))),
        aten="aten::special_zeta", cost=300, dtypes="not_of_halves",
    ),
    scalar_op(
        "mantissa", 1, lambda x: np.frexp(x)[0], "mts_mantissa_{T}({0})",
        by(lambda g, y, x: g / _power_of_exponent(x)), aten=None, cost=20,
    ),
    scalar_op(
        "exponent", 1, lambda x: np.where(np.isfinite(x), np.frexp(x)[1], 0).astype(x.dtype),
        "mts_exponent_{T}({0})", flat(1), aten=None, cost=20,
    ),
    scalar_op(
        "sinc", 1, np.sinc, "mts_sinc_{T}({0})", by(_sinc_backward), cost=20, dtypes="floating",
        has_rare_operands=True, aliases=("special_sinc",),
    ),
    scalar_op(
        "entr", 1, _entr,
        "({0} == 0 ? ({t})0 : {0} < 0 ? -({t})__builtin_inf() : -{0} * mts_log_{T}({0}))",
        by(lambda g, y, x: g * (-apply("log", x) - 1)),
        cuda={"f": "({0} == 0 ? ({t})0 : {0} < 0 ? log(({t})0) : -{0} * log({0}))"},
        aten="aten::special_entr", cost=14, dtypes="floating",
    ),
]  # fmt: skip
