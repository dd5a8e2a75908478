"""Functions of the C library, where Python's raise or forget the sign of NaN.

math.sqrt(-1.0)        ValueError
c_function("sqrt")(-1.0)       -nan, as torch.jit has it on x86: texts and the IR show the sign
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import cache


@cache
def c_function(name: str) -> Callable[..., float]:
    """Return a function of floats by its name, or one that gives NaN where there is none."""
    try:
        function = ctypes.CDLL(None)[name]
    except (OSError, TypeError, AttributeError):  # Windows
        return lambda *operands: math.nan
    function.restype = ctypes.c_double

    def called(*operands: float) -> float:
        result: float = function(*map(ctypes.c_double, operands))
        return result

    return called


def total(function: Callable[..., float]) -> Callable[..., float]:
    """Return a function of `math` that gives what C gives where Python raises, or where it is NaN.

    C's has the same name.
    """
    name = function.__name__

    def result(*operands: float) -> float:
        try:
            found = function(*operands)
        except (ValueError, OverflowError):
            return c_function(name)(*operands)
        return found if found == found else c_function(name)(*operands)

    return result
