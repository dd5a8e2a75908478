"""The types of values that are native, and constants of these types.

int      int64_t      wraps around (the compiler is given -fwrapv)
float    double       is rounded as the program says (-ffp-contract=off)
bool     bool
"""

from __future__ import annotations

import ctypes
import math
from typing import Any

from minits.records import dataclass
from minits.types import types as t
from minits.types.int64 import MIN_INT


@dataclass(frozen=True, slots=True)
class CType:
    """A type of C: its name, and the type of ctypes by which Python hands over a value.

    slot: the member of `mts_value` by which a value comes out of a function
    code: the same for `struct.unpack`
    zero: the text of a value that is not set, because the program never reads it
    """

    name: str
    argument: Any
    slot: str
    code: str
    zero: str


C_TYPES: dict[t.Type, CType] = {
    t.INT: CType("int64_t", ctypes.c_int64, "i", "q", "0"),
    t.FLOAT: CType("double", ctypes.c_double, "d", "d", "0.0"),
    t.BOOL: CType("bool", ctypes.c_bool, "i", "q", "false"),
}


def literal(value: Any) -> str:
    """Return the C text of a constant of a native type."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"(-{-(MIN_INT + 1)} - 1)" if value == MIN_INT else str(value)
    if math.isnan(value):
        return '(-__builtin_nan(""))' if math.copysign(1.0, value) < 0 else '__builtin_nan("")'
    if math.isinf(value):
        return "__builtin_inf()" if value > 0 else "(-__builtin_inf())"
    return repr(value)
