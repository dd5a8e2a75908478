"""Numbers from texts: `int("12")`, `float("0.5")`, as C++ reads them.

Source: torch/csrc/jit/runtime/register_prim_ops.cpp, by `std::stoll` and `std::stod`.
"""

from __future__ import annotations

import math
import re
import sys
from fractions import Fraction

from minits.ops.errors import ScriptError, ScriptIndexError, ScriptValueError
from minits.types.int64 import MAX_INT, MIN_INT

_INTEGER = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)")
_HEXADECIMAL = r"0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?"
_DECIMAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?"
_OTHER = r"inf(?:inity)?|nan(?:\([0-9a-z_]*\))?"
_FLOAT = re.compile(
    rf"[ \t\n\v\f\r]*([+-]?(?:{_HEXADECIMAL}|{_DECIMAL}|{_OTHER}))", re.IGNORECASE | re.ASCII
)
_LEAST = sys.float_info.min
"""The least positive float with all of its digits."""
_TINY = Fraction(_LEAST) - Fraction(_LEAST) / 2**54
"""The bound below which a number, rounded to as many digits as floats have, is below `_LEAST`."""


def int_from_text(text: str) -> int:
    """C++'s `stoll`: space before, none after.

    Raises `ScriptError` or `ScriptIndexError` or `ScriptValueError`.
    """
    match = _INTEGER.match(text)
    if match is None:
        raise ScriptValueError("stoll")
    number = int(match[1])
    if not MIN_INT <= number <= MAX_INT:
        raise ScriptIndexError("stoll")
    if match.end() != len(text):
        raise ScriptError(f"invalid literal for int() with base 10: '{text}'")
    return number


def float_from_text(text: str) -> float:
    """C++'s `stod`: hexadecimal floats too, no underscores.

    Raises `ScriptIndexError` for what is too great, or so little that digits are lost, and
    `ScriptError` or `ScriptValueError` for what is no number.
    """
    match = _FLOAT.match(text)
    if match is None:
        raise ScriptValueError("stod")
    number = _number(match[1].lower())
    if number is None:
        raise ScriptIndexError("stod")
    if match.end() != len(text):
        raise ScriptError(f"could not convert string to float: '{text}'")
    return number


def _number(digits: str) -> float | None:
    """Return the number that a text is; None for one that a float does not hold."""
    if "n" in digits:  # inf, nan
        return float(digits.partition("(")[0])
    try:
        number = float.fromhex(digits) if "x" in digits else float(digits)
    except OverflowError:
        return None
    is_lost = math.isinf(number) or (abs(number) <= _LEAST and _loses_digits(digits, number))
    return None if is_lost else number


def _loses_digits(digits: str, number: float) -> bool:
    """Return whether a float near zero is another number than the text that it was read from."""
    mantissa, _, exponent = digits.lstrip("+-").partition("p" if "x" in digits else "e")
    if number == 0.0:
        return mantissa.removeprefix("0x").strip("0.") != ""
    if "x" in digits:
        whole, _, fraction = mantissa.removeprefix("0x").partition(".")
        power = int(exponent or 0) - 4 * len(fraction)
        exact = int(whole + fraction, 16) * Fraction(2) ** power
    else:
        exact = Fraction(digits.lstrip("+-"))
    return exact < _TINY and exact != abs(Fraction(number))
