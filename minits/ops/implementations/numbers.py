"""Arithmetic, comparison and mathematics of floats, of ints mixed with floats, and of bools.

Floats follow IEEE 754 as in C++: where Python raises (division by zero, overflow, a value outside a
function's domain) the result is an infinity or NaN. An operand that is an int is first converted to
float. Complex numbers and the overloads for `Scalar`, which are rare, are left to torch.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import torch

from minits.ops.errors import ScriptError, ScriptZeroDivisionError
from minits.ops.implementations.c_library import total
from minits.ops.implementations.integers import wrap32
from minits.types.int64 import MAX_INT, MIN_INT

_INF, _NAN = math.inf, math.nan
_SYMBOLS = torch.SymInt, torch.SymFloat


def divide(a: float, b: float) -> float:
    if b != 0.0:  # of a symbol, its truth would be its value
        return a / b
    if a != a:
        return a
    if a == 0.0:
        return -_NAN  # as x86 makes it; the IR shows the sign
    return math.copysign(_INF, a) * math.copysign(1.0, b)


fmod = total(math.fmod)


def remainder(a: float, b: float) -> float:
    """A remainder with the sign of `b`."""
    return fmod(b + fmod(a, b), b)


def floor_float(a: float) -> float:
    """The floor as a float; infinities, NaN and -0.0 are their own."""
    if a - a != 0.0 or a == 0.0:
        return a
    return float(math.floor(a))


def floordiv(a: float, b: float) -> float:
    return floor_float(divide(a, b))


_power = total(math.pow)
_is_followed = torch.compiler.is_dynamo_compiling
"""Whether TorchDynamo follows the code: sizes are ints there that it has symbols for."""


def power(a: float, b: float) -> float:
    """Return C's `pow(a, b)`: NaN and infinities in place of Python's errors.

    Raises `ScriptError` for a negative power of zero, as torch does.
    """
    if b < 0.0 and a == 0.0:
        raise ScriptError("0.0 cannot be raised to a negative power")
    if isinstance(a, _SYMBOLS) or isinstance(b, _SYMBOLS) or (_is_followed() and a >= 0.0):
        symbol: float = a**b
        return symbol
    return _power(a, b)


def divmod_float(a: float, b: float) -> tuple[float, float]:
    """Return the floored quotient and the rest. Raises `ScriptZeroDivisionError`."""
    if b == 0.0:
        raise ScriptZeroDivisionError("ZeroDivisionError: float divmod()")
    rest = fmod(a, b)
    if rest and (a < 0) != (b < 0):
        rest += b
    return divide(a - rest, b), rest


def divmod_mixed(a: float, b: float) -> tuple[float, float]:
    """Return `divmod` of an int and a float. As in torch, both are narrowed to 32 bits first.

    Raises `ScriptZeroDivisionError`.
    """
    a, b = _narrow(a), _narrow(b)
    if b == 0.0:
        raise ScriptZeroDivisionError("ZeroDivisionError: float divmod()")
    quotient = float(floor_to_int(to_float32(divide(to_float32(a), to_float32(b)))))
    return quotient, a - quotient * b


def _narrow(number: float) -> float:
    return float(wrap32(number)) if isinstance(number, int) else to_float32(number)


def is_one(a: Any, b: Any) -> bool:
    """Return `a is b`. Numbers and devices have no identity: those of a type are one if equal.

    Source: `IValue::is`, aten/src/ATen/core/ivalue.cpp.
    """
    if isinstance(a, (int, float, torch.device)):
        return a.__class__ is b.__class__ and a == b
    return a is b


def minimum(a: Any, b: Any) -> Any:
    return a if a < b else b


def maximum(a: Any, b: Any) -> Any:
    return a if a > b else b


def round_to_even(a: float) -> float:
    if a - a != 0.0:
        return a
    return math.copysign(float(round(a)), a)


def floor_to_int(a: float) -> int:
    return math.floor(_in_range(a))


def ceil_to_int(a: float) -> int:
    return math.ceil(_in_range(a))


def _in_range(a: float) -> float:
    if not MIN_INT <= a <= MAX_INT:
        raise ScriptError(f"Cannot convert float {a:f} to integer")
    return a


def to_int(a: float) -> int:
    """Truncate. What no 64-bit integer holds becomes the least one, as on x86."""
    if not -9.223372036854775808e18 <= a < 9.223372036854775808e18:
        return MIN_INT
    return int(a)


def to_float32(a: float) -> float:
    """Round to the nearest number that a C `float` holds."""
    import ctypes

    return ctypes.c_float(a).value


def _modf(a: float) -> tuple[float, float]:
    return math.modf(a)


def _ldexp(a: float, exponent: int) -> float:
    try:
        return math.ldexp(a, wrap32(exponent))
    except OverflowError:
        return math.copysign(_INF, a)


_ieee_remainder = total(math.remainder)


def ieee_remainder(a: float, b: float) -> float:
    """Return the remainder of the division whose quotient is rounded to the nearest integer."""
    return _ieee_remainder(a, b)


_log_of_positive = total(math.log)


def log(a: float) -> float:
    """Return the logarithm; torch is linked with a version of C's whose NaN has no sign."""
    return _NAN if a < 0.0 else _log_of_positive(a)


_UNARY: dict[str, Callable[[float], float]] = {
    name: total(getattr(math, name))
    for name in (
        "log1p log10 sqrt acos asin atan cos sin tan asinh atanh acosh sinh cosh tanh exp expm1"
    ).split()
}
_UNARY |= {
    "log": log,
    "erf": math.erf,
    "erfc": math.erfc,
    "fabs": math.fabs,
    "degrees": lambda x: x * (180.0 / math.acos(-1.0)),
    "radians": lambda x: x * (math.acos(-1.0) / 180.0),
    "round": round_to_even,
}
_BINARY: dict[str, Callable[[float, float], Any]] = {
    "aten::sub": operator.sub,
    "aten::add": operator.add,
    "aten::mul": operator.mul,
    "aten::div": divide,
    "aten::floordiv": floordiv,
    "aten::remainder": remainder,
    "aten::fmod": fmod,
    "aten::mathremainder": ieee_remainder,
    "aten::pow": power,
    "aten::atan2": total(math.atan2),
    "aten::copysign": math.copysign,
    "prim::min": minimum,
    "prim::max": maximum,
    "aten::lt": operator.lt,
    "aten::le": operator.le,
    "aten::gt": operator.gt,
    "aten::ge": operator.ge,
    "aten::eq": operator.eq,
    "aten::ne": operator.ne,
}
_OF_INTS_AS_FLOATS = (
    "aten::div", "aten::fmod", "aten::mathremainder", "aten::pow", "aten::atan2", "aten::copysign",
)  # fmt: skip
_COMPARISONS = ("aten::lt", "aten::le", "aten::gt", "aten::ge", "aten::eq", "aten::ne")


def _log_base(x: float, base: float) -> float:
    return divide(log(x), log(base))


def _of_floats(function: Callable[[float, float], Any]) -> Callable[[Any, Any], Any]:
    """Convert both operands to float first."""
    return lambda a, b: function(to_float(a), to_float(b))


def to_float(number: Any) -> Any:
    """Return a number as a float; what an exporter makes of sizes stays a symbol."""
    return torch.sym_float(number) if isinstance(number, _SYMBOLS) else float(number)


def _make_table() -> dict[str, Callable[..., Any]]:
    table: dict[str, Callable[..., Any]] = {}
    for name, unary in _UNARY.items():
        table[f"aten::{name}.float"] = unary
        table[f"aten::{name}.int"] = lambda x, unary=unary: unary(float(x))
    for name, binary in _BINARY.items():
        table[f"{name}.float"] = binary
        table[f"{name}.int_float"] = table[f"{name}.float_int"] = _of_floats(binary)
        if name in _OF_INTS_AS_FLOATS:
            table[f"{name}.int"] = _of_floats(binary)
        elif name in _COMPARISONS or name.startswith("prim::"):
            table[f"{name}.int"] = binary
    for name in ("aten::eq", "aten::ne"):
        table[f"{name}.str"] = _BINARY[name]
    for kinds in ("int_int", "float_float", "int_float", "float_int"):
        table[f"aten::log.{kinds}"] = _of_floats(_log_base)
    return table


TABLE: dict[str, Callable[..., Any]] = {
    **_make_table(),
    "aten::neg.float": operator.neg,
    "prim::abs.float": abs,
    "aten::floor.int": operator.pos,  # exact, as in Python; torch's goes through a float
    "aten::ceil.int": operator.pos,
    "aten::floor.float": floor_to_int,
    "aten::ceil.float": ceil_to_int,
    "aten::divmod.float": divmod_float,
    "aten::divmod.int_float": divmod_mixed,
    "aten::divmod.float_int": divmod_mixed,
    "aten::modf": _modf,
    "aten::frexp": math.frexp,
    "aten::ldexp": _ldexp,
    "aten::isnan.float": math.isnan,
    "aten::isinf.float": math.isinf,
    "aten::isfinite.float": math.isfinite,
    "aten::add.complex": operator.add,
    "aten::sub.complex": operator.sub,
    "aten::neg.complex": operator.neg,
    "aten::eq.complex": operator.eq,
    "aten::ne.complex": operator.ne,
    "aten::__and__.bool": lambda a, b: a and b,
    "aten::__or__.bool": lambda a, b: a or b,
    "aten::__xor__.bool": operator.ne,
    "aten::eq.bool": operator.eq,
    "aten::ne.bool": operator.ne,
    "aten::__not__": operator.not_,
    "aten::eq.device": operator.eq,
    "aten::ne.device": operator.ne,
    "aten::eq.enum": operator.is_,
    "aten::ne.enum": operator.is_not,
    "aten::__is__": is_one,
    "aten::__isnot__": lambda a, b: not is_one(a, b),
}
