"""Errors of fused kernels and of eager torch, in units in the last place.

Functions of one number, of float32 and float64, each at many numbers: some of all sizes, some
where the function is interesting, some that are special. The truth of float32 is torch's in
float64, that of float64 is mpmath's. A distance counts in ulp of the true result; a wrong NaN,
infinity or sign of zero is infinitely far. Powers of float32 are of exponents and bases that are
rounded to it, in both columns; so is x / sqrt(2) in `log_ndtr`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
import torch
from rich import box
from rich.console import Console
from rich.table import Table
from torch import Tensor

import minits

F32, F64 = torch.float32, torch.float64
COUNTS = {F32: 1 << 19, F64: 1 << 10}
"""Numbers of each kind; mpmath takes some 20 µs for one."""


@dataclass(frozen=True)
class Function:
    """`low .. high` is where its results are interesting; `true` gives them of an mpmath number.

    `call` is how it is written in a program, if not as torch's function of its name.
    """

    name: str
    low: float
    high: float
    true: Callable[[Any], Any]
    call: str = ""

    def of(self, operand: str) -> str:
        """Return the Python text of a call."""
        return (self.call or f"torch.{self.name}({{}})").format(operand)


def _mish(x: Any) -> Any:
    return x * mpmath.tanh(mpmath.log1p(mpmath.exp(x)))


def _log_ndtr(x: Any) -> Any:
    return mpmath.log1p(-mpmath.ncdf(-x)) if x > 0 else mpmath.log(mpmath.ncdf(x))


FUNCTIONS = [
    Function("exp", -110, 100, mpmath.exp),
    Function("exp2", -160, 130, lambda x: mpmath.power(2, x)),
    Function("expm1", -20, 90, mpmath.expm1), Function("log", 0, 20, mpmath.log),
    Function("log1p", -1, 20, mpmath.log1p), Function("sin", -100, 100, mpmath.sin),
    Function("cos", -100, 100, mpmath.cos), Function("tan", -100, 100, mpmath.tan),
    Function("asin", -1, 1, mpmath.asin), Function("acos", -1, 1, mpmath.acos),
    Function("atan", -10, 10, mpmath.atan), Function("sinh", -20, 20, mpmath.sinh),
    Function("cosh", -20, 20, mpmath.cosh), Function("tanh", -10, 10, mpmath.tanh),
    Function("sigmoid", -90, 20, lambda x: 1 / (1 + mpmath.exp(-x))),
    Function("mish", -10, 10, _mish, "torch.nn.functional.mish({})"),
    Function("erf", -5, 5, mpmath.erf), Function("erfc", -5, 25, mpmath.erfc),
    Function("erfinv", -1, 1, mpmath.erfinv),
    Function("log_ndtr", -40, 10, _log_ndtr, "torch.special.log_ndtr({})"),
    Function("erfcx", -5, 60, lambda x: mpmath.exp(x * x) * mpmath.erfc(x),
             "torch.special.erfcx({})"),
    Function("pow 2.7", 0, 20, lambda x: mpmath.power(x, mpmath.mpf(2.7)), "torch.pow({}, 2.7)"),
    Function("pow -33.3", 0, 20, lambda x: mpmath.power(x, mpmath.mpf(-33.3)),
             "torch.pow({}, -33.3)"),
    Function("1.7 pow", -150, 120, lambda x: mpmath.power(mpmath.mpf(1.7), x),
             "torch.pow(1.7, {})"),
    Function("lgamma", 0.01, 50, lambda x: mpmath.re(mpmath.loggamma(x))),
    Function("digamma", 2, 50, mpmath.digamma),
    Function("i1e", -50, 50, lambda x: mpmath.besseli(1, x) * mpmath.exp(-abs(x)),
             "torch.special.i1e({})"),
]  # fmt: skip

POSITIVE = ("log", "lgamma", "digamma", "pow 2.7", "pow -33.3")
"""Functions that are measured above zero only."""


def numbers(function: Function, dtype: torch.dtype) -> Tensor:
    """Return the arguments for a function, some outside its domain; infinities and NaN last."""
    g = torch.Generator().manual_seed(0)
    count = COUNTS[dtype]
    inside = torch.rand(2 * count, generator=g, dtype=F64)
    inside = inside * (function.high - function.low) + function.low
    sizes = torch.rand(count, generator=g, dtype=F64) * 40 - 38
    small = 10**sizes * torch.where(torch.rand(count, generator=g) < 0.5, 1.0, -1.0)
    near = torch.rand(count, generator=g, dtype=F64) * 2 - 1
    special = torch.tensor(
        [0.0, -0.0, 1.0, -1.0, torch.inf, -torch.inf, torch.nan, 1e-40], dtype=F64
    )
    found = torch.cat([inside, small, near, special]).to(dtype)
    found = found[found > 0] if function.name in POSITIVE else found
    return torch.cat([found[found.isfinite()], found[~found.isfinite()]])


def truth(function: Function, x: Tensor) -> tuple[Tensor, Tensor]:
    """Return the true results as sums of two float64 numbers, the second far smaller."""
    usual = _eager(function)(x.double())
    rest = torch.zeros_like(usual)
    if x.dtype == F64:
        is_known = (x == 0) | ~x.isfinite() | ~usual.isfinite()
        with mpmath.workprec(100):
            for i in (~is_known).nonzero().flatten().tolist():
                true = function.true(mpmath.mpf(x[i].item()))
                usual[i] = float(true)
                rest[i] = float(true - mpmath.mpf(usual[i].item()))
    return usual, rest


def _eager(function: Function) -> Callable[[Tensor], Tensor]:
    found: Callable[[Tensor], Tensor] = eval(f"lambda x: {function.of('x')}", {"torch": torch})
    return found


def distance(found: Tensor, truth: tuple[Tensor, Tensor]) -> float:
    """Return the greatest distance in ulp."""
    true, rest = truth
    rounded = true.to(found.dtype)
    size = rounded.abs()
    ulp = torch.nextafter(size, torch.full_like(size, torch.inf)).double() - size.double()
    off = ((found.double() - true) - rest).abs() / ulp
    same = (found == rounded) & ((found != 0) | (found.signbit() == rounded.signbit()))
    same |= found.isnan() & rounded.isnan()
    finite = found.isfinite() & rounded.isfinite() & ((found != 0) | (rounded != 0))
    return float(torch.where(same & ~finite, 0.0, torch.where(finite, off, torch.inf)).max())


def fused(function: Function) -> Callable[[Tensor], Tensor]:
    """Return a compiled function that multiplies by 1 first, so that there is a kernel."""
    unit = minits.CompilationUnit(f"def f(x):\n    return {function.of('x * 1.0')}\n")
    found: Callable[[Tensor], Tensor] = unit.f
    return found


def measure(function: Function, dtype: torch.dtype) -> tuple[float, float]:
    """Return the greatest distance of a fused kernel's results, and that of eager's."""
    x = numbers(function, dtype)
    true = truth(function, x)
    compiled, split = fused(function), int(x.isfinite().sum())
    for _ in range(2):  # a first call runs the program as it was written
        compiled(x[:split])
    found = torch.cat([compiled(x[:split]), compiled(x[split:])])  # infinities are rare: see `rare`
    return distance(found, true), distance(_eager(function)(x), true)


def run(only: str | None) -> int:
    """Measure all functions, and print a table."""
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), caption="greatest error in ulp")
    for column in ("function", "float32", "eager", "float64", "eager"):
        table.add_column(column, justify="left" if column == "function" else "right")
    for function in FUNCTIONS:
        if only in (None, function.name):
            found = [error for dtype in (F32, F64) for error in measure(function, dtype)]
            table.add_row(function.name, *[f"{error:.2f}" for error in found])
    Console().print(table)
    return 0
