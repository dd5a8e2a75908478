"""Arithmetic of 64-bit integers: it wraps around, as in C++.

Python's integers have no bounds. Sums, differences and products of wrapped integers may be formed
without bounds and be wrapped once at the end: the result is the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from minits.ops.errors import ScriptError, ScriptValueError, ScriptZeroDivisionError
from minits.types.int64 import MAX_INT, MIN_INT

_MASK = 2**64 - 1


def wrap(number: int) -> int:
    """Return the 64-bit integer that has the same lowest 64 bits."""
    if MIN_INT <= number <= MAX_INT:
        return number
    return ((number - MIN_INT) & _MASK) + MIN_INT


def wrap32(number: int) -> int:
    """Wrap a number to 32 bits, as a C `int`."""
    return ((number + 2**31) & (2**32 - 1)) - 2**31


def add(a: int, b: int) -> int:
    return wrap(a + b)


def sub(a: int, b: int) -> int:
    return wrap(a - b)


def mul(a: int, b: int) -> int:
    return wrap(a * b)


def neg(a: int) -> int:
    return wrap(-a)


def absolute(a: int) -> int:
    return wrap(abs(a))


def floordiv(a: int, b: int) -> int:
    """Return `a // b`, wrapped to 64 bits. Raises `ScriptZeroDivisionError`."""
    if b == 0:
        raise ScriptZeroDivisionError("division by 0")
    return wrap(a // b)


def remainder(a: int, b: int) -> int:
    """Python's remainder, but for divisors of 63 bits: torch adds one to a remainder, which wraps.

    Differs: a remainder by 0 ends the process in torch.
    """
    if -(2**62) <= b <= 2**62 and b:
        return a % b
    quotient = divide_towards_zero(a, b)
    total = wrap(b + a - quotient * b)
    return total - divide_towards_zero(total, b) * b


def divide_towards_zero(a: int, b: int) -> int:
    """Return the quotient as in C, wrapped to 64 bits. Raises `ScriptZeroDivisionError`."""
    if b == 0:
        raise ScriptZeroDivisionError("division by 0")
    quotient = abs(a) // abs(b)
    return wrap(quotient if (a < 0) == (b < 0) else -quotient)


def divmod_(a: int, b: int) -> tuple[int, int]:
    """Return `divmod(a, b)`; the quotient wraps to 64 bits. Raises `ScriptZeroDivisionError`."""
    if b == 0:
        raise ScriptZeroDivisionError("ZeroDivisionError: integer division or modulo by zero")
    quotient, rest = divmod(a, b)
    return wrap(quotient), rest


def shift_left(a: int, b: int) -> int:
    """Shift by the lowest 6 bits of `b`, as processors do."""
    return wrap(a << (b & 63))


def shift_right(a: int, b: int) -> int:
    return a >> (b & 63)


def gcd(a: int, b: int) -> int:
    return wrap(math.gcd(a, b))


def factorial(n: int) -> int:
    """Return `n!`, wrapped to 64 bits. Raises `ScriptError` for a negative number."""
    if n < 0:
        raise ScriptError("factorial() not defined for negative values")
    product = 1
    for factor in range(2, n + 1):
        product = wrap(product * factor)
    return product


def range_length(low: int, high: int, step: int) -> int:
    """Return the length of `range(low, high, step)`; a negative number if it overflows.

    Raises `ScriptValueError`.
    """
    if step == 0:
        raise ScriptValueError("range() arg 3 must not be zero")
    if step < 0:
        low, high, step = high, low, wrap(-step)
    if low >= high:
        return 0
    return wrap(1 + divide_towards_zero(wrap(high - 1 - low), step))


def derive_index(index: int, start: int, step: int) -> int:
    return wrap(start + index * step)


TABLE: dict[str, Callable[..., Any]] = {
    "aten::add.int": add,
    "aten::sub.int": sub,
    "aten::mul.int": mul,
    "aten::neg.int": neg,
    "prim::abs.int": absolute,
    "aten::floordiv.int": floordiv,
    "aten::remainder.int": remainder,
    "aten::__round_to_zero_floordiv.int": divide_towards_zero,
    "aten::divmod.int": divmod_,
    "aten::__lshift__.int": shift_left,
    "aten::__rshift__.int": shift_right,
    "aten::__and__.int": lambda a, b: a & b,
    "aten::__or__.int": lambda a, b: a | b,
    "aten::__xor__.int": lambda a, b: a ^ b,
    "aten::gcd.int": gcd,
    "aten::factorial.int": factorial,
    "aten::__range_length": range_length,
    "aten::__derive_index": derive_index,
}
