"""The types of values that are native, and constants of these types.

int      int64_t      wraps around (the compiler is given -fwrapv)
float    double       is rounded as the program says (-ffp-contract=off)
bool     bool
"""

from __future__ import annotations

import math
from typing import Any

from minits.types import types as t
from minits.types.int64 import MIN_INT

C_TYPES: dict[t.Type, str] = {t.INT: "int64_t", t.FLOAT: "double", t.BOOL: "bool"}
SLOTS: dict[t.Type, str] = {t.INT: "i", t.FLOAT: "d", t.BOOL: "i"}
"""The member of `mts_value` by which a value goes out of a function."""
UNPACKED: dict[t.Type, str] = {t.INT: "q", t.FLOAT: "d", t.BOOL: "q"}
"""The same for `struct.unpack`."""
ZEROS: dict[t.Type, str] = {t.INT: "0", t.FLOAT: "0.0", t.BOOL: "false"}
"""The text of a value that is not set, because the program never reads it."""


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
