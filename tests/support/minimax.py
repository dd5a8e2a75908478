"""The coefficients of the polynomials in `minits/kernels/cpu/c_math`: how they are found.

    python -m tests.support.minimax            all of them
    python -m tests.support.minimax log_f32    one polynomial

prints, for each, how far the function is from what is made of the polynomial (times 2 ** 24 for
float, 2 ** 53 for double), and the coefficients, that of the highest power first.

A function f is approximated by c0 b0(x) + c1 b1(x) + ..., such that the greatest |error(x)| times a
weight is least: Remez' exchange. The coefficients are rounded one after another, that of the lowest
power first, and the others found again, so that they make up for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import mpmath
import numpy as np
from mpmath import mp, mpf

mp.prec = 140
Function = Callable[[Any], Any]
POINTS = 600
ROUNDS = 12


@dataclass(frozen=True)
class Fit:
    """`rest(x)` is approximated by `variable(x) ** (0 .. count - 1)`; errors count by `weight(x)`.

    `low` and `high` bound x, of a number type with `bits` bits.
    """

    rest: Function
    variable: Function
    weight: Function
    low: Any
    high: Any
    count: int
    bits: int


def _solved(x: Sequence[Any], fit: Fit, known: Sequence[Any], weight: Function) -> list[Any]:
    """Return the coefficients above the known ones whose errors at x are equal and alternate."""
    size = fit.count - len(known)
    rows, right = mpmath.matrix(size + 1, size + 1), mpmath.matrix(size + 1, 1)
    for i, point in enumerate(x):
        v, w = fit.variable(point), weight(point)
        for j in range(size):
            rows[i, j] = w * v ** (j + len(known))
        rows[i, size] = (-1) ** i
        right[i] = w * (fit.rest(point) - sum(c * v**j for j, c in enumerate(known)))
    return [*known, *mpmath.lu_solve(rows, right)[:size]]


def _extremes(errors: Sequence[Any]) -> list[int]:
    """Return where the error is greatest between its changes of sign."""
    found = [0]
    for i, error in enumerate(errors):
        if error * errors[found[-1]] < 0:
            found.append(i)
        elif abs(error) > abs(errors[found[-1]]):
            found[-1] = i
    return found


def minimax(fit: Fit, known: Sequence[Any] = ()) -> tuple[list[Any], Any]:
    """Return the best coefficients, of which the first are known, and the greatest error."""
    middle, half = (fit.low + fit.high) / mpf(2), (fit.high - fit.low) / mpf(2)
    grid = [
        middle - half * mpmath.cos(mpmath.pi * (i + mpf("0.5")) / POINTS) for i in range(POINTS)
    ]
    values = [(fit.variable(x), fit.rest(x), fit.weight(x)) for x in grid]
    size = fit.count - len(known) + 1
    places = [round((i + 0.5) * POINTS / size - 0.5) for i in range(size)]
    best: tuple[list[Any], Any] = ([], mpf("inf"))
    for _ in range(ROUNDS if size > 1 else 1):
        found = _solved([grid[p] for p in places], fit, known, fit.weight)
        errors = [w * (f - mpmath.polyval(found[::-1], v)) for v, f, w in values]
        worst = max(abs(error) for error in errors)
        best = min(best, (found, worst), key=lambda pair: pair[1])
        extremes = _extremes(errors)
        while len(extremes) > size:
            extremes.pop(0 if abs(errors[extremes[0]]) < abs(errors[extremes[-1]]) else -1)
        if len(extremes) < size:
            break
        places = extremes
    return best


def rounded(fit: Fit) -> tuple[list[Any], Any]:
    """Return coefficients that are floats, or doubles, and the greatest error with them.

    Of many coefficients the last ones cannot make up for the first: there all are rounded at once.
    """
    known: list[Any] = []
    for _ in range(fit.count):
        found, _ = minimax(fit, known)
        known.append(_rounded(found[len(known)], fit.bits))
    at_once = [_rounded(value, fit.bits) for value in minimax(fit)[0]]
    return min(minimax(fit, known), minimax(fit, at_once), key=lambda pair: pair[1])


def _rounded(value: Any, bits: int) -> Any:
    return mpf(float(np.float32(float(value)) if bits == 24 else float(value)))


def texts(fit: Fit, coefficients: Sequence[Any]) -> list[str]:
    """Return the coefficients as C constants, that of the highest power first."""
    found = []
    for value in reversed(coefficients):
        digits, exponent = float(value).hex().split("p")
        digits = digits.rstrip("0") if fit.bits == 53 else digits[: digits.index(".") + 7]
        found.append(f"{digits}p{int(exponent)}{'f' if fit.bits == 24 else ''}")
    return found


def _log_rest(x: Any) -> Any:
    """p in log(1 + f) = f - f f / 2 + f f f p(f)"""
    if abs(x) < mpf("1e-9"):
        return mpf(1) / 3 - x / 4
    return (mpmath.log1p(x) - x + x * x / 2) / x**3


def _expm1_rest(x: Any) -> Any:
    """p in exp(x) - 1 = x + x x p(x)"""
    return mpf("0.5") + x / 6 if abs(x) < mpf("1e-12") else (mpmath.expm1(x) - x) / x**2


def _of_square(series: Callable[[Any], Any]) -> Function:
    """A function of x whose value is wanted at no zero."""
    return lambda x: series(x if x != 0 else mpf("1e-12"))


def _lgamma_two(x: Any) -> Any:
    """p in lgamma(2 + x) = x p(x)"""
    return mpmath.psi(0, 2) if abs(x) < mpf("1e-20") else mpmath.loggamma(2 + x).real / x


def _lgamma_large(x: Any) -> Any:
    """p in lgamma(1 / x) = (1 / x - 1 / 2) (log(1 / x) - 1) + (log(2 pi) - 1) / 2 + x p(x)"""
    if x < mpf("1e-9"):
        return mpf(1) / 12
    stirling = (1 / x - mpf("0.5")) * (mpmath.log(1 / x) - 1) + (mpmath.log(2 * mpmath.pi) - 1) / 2
    return (mpmath.loggamma(1 / x).real - stirling) / x


@cache
def _scaled_erfc(t: Any) -> Any:
    """(1 + 2 a) exp(a a) erfc(a) with t = (a - 4) / (a + 4)"""
    a = 4 * (1 + t) / (1 - t)
    return (1 + 2 * a) * mpmath.exp(a * a) * mpmath.erfc(a)


@cache
def _erfinv_ratio(w: Any) -> Any:
    """erfinv(x) / x with w = -log(1 - x x); by Halley's method near 1."""
    if w < mpf("1e-25"):
        return mpmath.sqrt(mpmath.pi) / 2
    x = mpmath.sqrt(-mpmath.expm1(-w))
    if x < mpf("0.9"):
        return mpmath.erfinv(x) / x
    left, y = mpmath.exp(-w) / (1 + x), mpmath.sqrt(w) - mpf("0.3")
    for _ in range(60):
        step = (mpmath.erfc(y) - left) * mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(y * y)
        step = step / (1 + step * y) if abs(step * y) < mpf("0.9") else step
        y += step
        if abs(step) < mpf("1e-38"):
            break
    return y / x


def _erfinv_rest(w: Any) -> Any:
    """p in erfinv(x) / x = sqrt(pi) / 2 + w p, with w = -log(1 - x x)"""
    return (_erfinv_ratio(w) - mpmath.sqrt(mpmath.pi) / 2) / w


def _erfinv_w(t: Any) -> Any:
    """The w of t = 25.44 / (w + 10) - 1.544"""
    return max(mpf("25.44") / (t + mpf("1.544")) - 10, mpf("1e-20"))


def _erfinv_w_f32(t: Any) -> Any:
    """The w of t = 32.5 / (w + 10) - 2.25"""
    return max(mpf("32.5") / (t + mpf("2.25")) - 10, mpf("1e-20"))


@cache
def _i1e(a: Any) -> Any:
    return mpmath.besseli(1, a) * mpmath.exp(-a)


HALF_LOG2 = mpmath.log(2) / 2 * mpf("1.001")
ROOT = mpmath.sqrt(mpf("0.5"))
QUARTER = mpmath.pi / 4
SMALL_ATAN = mpmath.sqrt(2) - 1
SMALL_TANH = mpf("0.6")
TANH_OF_LOG = (mpmath.sqrt(2) - 1) / (mpmath.sqrt(2) + 1)
SMALL_ERF = mpf("0.9")


def _square(x: Any) -> Any:
    return x * x


def _same(x: Any) -> Any:
    return x


FITS = {
    "expm1_f32": Fit(_expm1_rest, _same, abs, -HALF_LOG2, HALF_LOG2, 5, 24),
    "expm1_f64": Fit(_expm1_rest, _same, abs, -HALF_LOG2, HALF_LOG2, 11, 53),
    "log_f32": Fit(_log_rest, _same, lambda x: x * x, ROOT - 1, 2 * ROOT - 1, 8, 24),
    "log_f64": Fit(
        _of_square(lambda s: (2 * mpmath.atanh(s) / s - 2) / s**2),
        _square, lambda s: s * s / 2, mpf(0), TANH_OF_LOG, 7, 53,
    ),
    "sin_f32": Fit(
        _of_square(lambda x: (mpmath.sin(x) / x - 1) / x**2),
        _square, _square, mpf(0), QUARTER, 3, 24,
    ),
    "cos_f32": Fit(
        _of_square(lambda x: (mpmath.cos(x) - 1 + x * x / 2) / x**4),
        _square, lambda x: x**4, mpf(0), QUARTER, 3, 24,
    ),
    "sin_f64": Fit(
        _of_square(lambda x: (mpmath.sin(x) / x - 1) / x**2),
        _square, _square, mpf(0), QUARTER, 6, 53,
    ),
    "cos_f64": Fit(
        _of_square(lambda x: (mpmath.cos(x) - 1 + x * x / 2) / x**4),
        _square, lambda x: x**4, mpf(0), QUARTER, 6, 53,
    ),
    "sin_of_turns_f64": Fit(
        _of_square(lambda x: (mpmath.sinpi(x) / mpmath.pi / x - 1) / x**2),
        _square, lambda x: x**3 / mpmath.sinpi(x) * mpmath.pi if x else mpf(0), mpf(0), mpf("0.5"),
        9, 53,
    ),
    "tan_f32": Fit(
        _of_square(lambda x: (mpmath.tan(x) / x - 1) / x**2),
        _square, _square, mpf(0), QUARTER, 7, 24,
    ),
    "tan_f64": Fit(
        _of_square(lambda x: (mpmath.tan(x) / x - 1) / x**2),
        _square, _square, mpf(0), QUARTER, 14, 53,
    ),
    "asin_f64": Fit(
        _of_square(lambda x: (mpmath.asin(x) / x - 1) / x**2),
        _square, _square, mpf(0), mpf("0.5"), 13, 53,
    ),
    "atan_f64": Fit(
        _of_square(lambda x: (mpmath.atan(x) / x - 1) / x**2),
        _square, _square, mpf(0), SMALL_ATAN, 12, 53,
    ),
    "tanh_f32": Fit(
        _of_square(lambda x: (mpmath.tanh(x) / x - 1) / x**2),
        _square, _square, mpf(0), SMALL_TANH, 5, 24,
    ),
    "tanh_f64": Fit(
        _of_square(lambda x: (mpmath.tanh(x) / x - 1) / x**2),
        _square, _square, mpf(0), SMALL_TANH, 11, 53,
    ),
    "tanh_fraction_f32": Fit(
        _of_square(lambda x: (mpmath.tanh(x) / x - 1) / x**2),
        _square, _square, mpf(0), HALF_LOG2 / 2, 3, 24,
    ),
    "sigmoid_f32": Fit(
        _of_square(lambda x: (x / mpmath.tanh(x / 2) - 2) / x**2),
        _square, lambda x: x * x / 2, mpf(0), HALF_LOG2, 2, 24,
    ),
    "asin_f32": Fit(
        _of_square(lambda x: (mpmath.asin(x) / x - 1) / x**2),
        _square, _square, mpf(0), mpf("0.5"), 5, 24,
    ),
    "atan_f32": Fit(
        _of_square(lambda x: (mpmath.atan(x) / x - 1) / x**2),
        _square, _square, mpf(0), mpf(1), 9, 24,
    ),
    "erf_small_f32": Fit(
        _of_square(lambda x: mpmath.erf(x) / x - 1),
        _square, lambda x: mpf(1), mpf(0), SMALL_ERF, 6, 24,
    ),
    "erf_large_f32": Fit(
        lambda x: mpmath.log(mpmath.erfc(x)) / x + 1,
        _same, lambda x: x * mpmath.erfc(x), SMALL_ERF, mpf(4), 7, 24,
    ),
    "erf_small_f64": Fit(
        _of_square(lambda x: mpmath.erf(x) / x - 1),
        _square, lambda x: mpf(1), mpf(0), mpf("0.65"), 10, 53,
    ),
    "erf_large_f64": Fit(
        lambda x: mpmath.log(mpmath.erfc(x), 2) / x,
        _same, lambda x: x * mpmath.erfc(x) * mpmath.log(2), mpf("0.65"), mpf("5.92"), 18, 53,
    ),
    "exp2_f64": Fit(
        _of_square(lambda r: (mpmath.power(2, r) - 1) / r),
        _same, lambda r: abs(r) + mpf("0.001"), mpf("-0.5"), mpf("0.5"), 11, 53,
    ),
    "erfcx_f64": Fit(
        lambda t: (_scaled_erfc(t) - _scaled_erfc(mpf(0))) / t, _same,
        lambda t: t / _scaled_erfc(t), mpf("-3.5") / mpf("4.5"), mpf(1), 22, 53,
    ),
    "erfinv_f64": Fit(
        lambda t: _erfinv_rest(_erfinv_w(t)),
        _same, lambda t: _erfinv_w(t) / _erfinv_ratio(_erfinv_w(t)), mpf("-0.9999"), mpf(1), 36, 53,
    ),
    "erfinv_f32": Fit(
        lambda t: _erfinv_rest(_erfinv_w_f32(t)) - mpf(float.fromhex("0x1.e3ff82p-3")), _same,
        lambda t: _erfinv_w_f32(t) / _erfinv_ratio(_erfinv_w_f32(t)), mpf(-1), mpf(1), 14, 24,
    ),
    "i1e_near_f32": Fit(
        lambda t: _i1e(4 * t + 4) / (4 * t + 4), _same, lambda t: (4 * t + 4) / _i1e(4 * t + 4),
        mpf("-0.999999"), mpf(1), 18, 53,
    ),
    "i1e_far_f32": Fit(
        _of_square(lambda r: _i1e(1 / r) / mpmath.sqrt(r)), _same, lambda r: mpf("2.5"),
        mpf("0.0001"), mpf(1) / 8, 7, 53,
    ),
    "pow_log_f64": Fit(
        _of_square(lambda s: (2 * mpmath.atanh(s) - 2 * s - 2 * s**3 / 3) / s**5),
        _square, lambda s: s**4 / 2, mpf(0), TANH_OF_LOG, 8, 53,
    ),
    "lgamma_two_f64": Fit(
        _lgamma_two, _same, lambda x: 1 / _lgamma_two(x), mpf("-0.586"), mpf("0.4143"), 18, 53,
    ),
    "lgamma_large_f64": Fit(
        _lgamma_large, _square, lambda x: x / 8, mpf(0), mpf(1) / 8, 7, 53,
    ),
}  # fmt: skip


def main(names: Sequence[str]) -> None:
    for name in names or FITS:
        fit = FITS[name]
        coefficients, worst = rounded(fit)
        print(f"{name}: {mpmath.nstr(worst * 2**fit.bits, 3)}")
        print("\n".join(f"    {text}" for text in texts(fit, coefficients)))


if __name__ == "__main__":
    main(sys.argv[1:])
