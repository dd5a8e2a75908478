"""Values as text: `1.`, `[a, b]` without quotes.

`str`, `print` and `format` show values so, and types the defaults of NamedTuples.

Source: aten/src/ATen/core/ivalue.cpp (`operator<<`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum
from typing import Any

import torch


def format_value(value: Any, format_other: Callable[[Any], str] = str) -> str:
    """Return the text of a value; `format_other` gives that of a tensor or an object."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return _format_float(value)
    if isinstance(value, (bool, int)) or value is None:
        return str(value)

    def join(values: Any) -> str:
        return ", ".join([format_value(item, format_other) for item in values])

    if isinstance(value, tuple):
        return f"({join(value)},)" if len(value) == 1 else f"({join(value)})"
    if isinstance(value, list):
        return f"[{join(value)}]"
    if isinstance(value, dict):
        items = [
            ": ".join((format_value(key, format_other), format_value(item, format_other)))
            for key, item in value.items()
        ]
        return f"{{{', '.join(items)}}}"
    if isinstance(value, complex):
        sign = "+" if value.imag >= 0 else "-"
        return f"{_format_float(value.real)}{sign}{_format_float(abs(value.imag))}j"
    if isinstance(value, Enum):
        return f"Enum<{type(value).__name__}.{value.name}>"
    return str(value) if isinstance(value, torch.device) else format_other(value)


def _format_float(number: float) -> str:
    if -(2.0**63) <= number < 2.0**63 and number == int(number):  # fits a C++ int64_t
        return f"{int(number)}."
    if math.isnan(number):  # which has a sign, as the processor has made it
        return "-nan" if math.copysign(1.0, number) < 0 else "nan"
    return f"{number:.17g}"
