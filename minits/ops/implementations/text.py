"""Values as text: `str`, `print`, `format` and `%`.

Source: aten/src/ATen/core/ivalue.cpp (`operator<<`), torch/csrc/jit/runtime/vararg_functions.cpp.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from enum import Enum
from typing import Any

import torch

from minits.ops.errors import ScriptError
from minits.ops.implementations.numbers import to_float32
from minits.ops.implementations.tensor_text import format_tensor


def format_value(value: Any) -> str:
    """Return the text of a value as TorchScript shows it: `1.`, `[a, b]` without quotes."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return _format_float(value)
    if isinstance(value, (bool, int)) or value is None:
        return str(value)
    if isinstance(value, torch.Tensor):
        return format_tensor(value)
    if isinstance(value, tuple):
        return f"({_join(value)},)" if len(value) == 1 else f"({_join(value)})"
    if isinstance(value, list):
        return f"[{_join(value)}]"
    if isinstance(value, dict):
        items = (f"{format_value(key)}: {format_value(item)}" for key, item in value.items())
        return f"{{{', '.join(items)}}}"
    return _format_other(value)


def _join(values: Any) -> str:
    return ", ".join(map(format_value, values))


def _format_float(number: float) -> str:
    if math.isfinite(number) and abs(number) < 9.2e18 and number == int(number):
        return f"{int(number)}."
    return f"{number:.17g}"


def _format_other(value: Any) -> str:
    if isinstance(value, complex):
        sign = "+" if value.imag >= 0 else "-"
        return f"{_format_float(value.real)}{sign}{_format_float(abs(value.imag))}j"
    if isinstance(value, Enum):
        return f"Enum<{type(value).__name__}.{value.name}>"
    if isinstance(value, torch.device):
        return str(value)
    return f"<{type(value).__name__} object at {id(value):#x}>"


def print_values(*values: Any) -> None:
    sys.stdout.write(" ".join(map(format_value, values)) + "\n")


def format_string(pattern: str, *values: Any) -> str:
    """Replace each `{}` by the text of the next value."""
    parts = pattern.split("{}")
    if len(parts) - 1 > len(values):
        raise ScriptError(f"Too few arguments for format string: {pattern}")
    text = parts[0]
    for value, part in zip(values, parts[1:], strict=False):
        text += format_value(value) + part
    return text


def percent_format(pattern: str, arguments: Any) -> str:
    """The operator `%`; no flags, widths or precisions."""
    values = arguments if isinstance(arguments, tuple) else (arguments,)
    pieces: list[str] = []
    used = begin = 0
    while (place := pattern.find("%", begin)) >= 0:
        if place == len(pattern) - 1:
            raise ScriptError("Incomplete format specifier")
        pieces.append(pattern[begin:place])
        key, begin = pattern[place + 1], place + 2
        if key == "%":
            pieces.append("%")
            continue
        if used >= len(values):
            raise ScriptError("Too few arguments for format string")
        pieces.append(_format_as(key, values[used]))
        used += 1
    if used != len(values):
        raise ScriptError("Too many arguments for format string")
    return "".join([*pieces, pattern[begin:]])


def _format_as(key: str, value: Any) -> str:
    if key == "s":
        return format_value(value)
    if key == "c":
        return _format_char(value)
    if key not in "dieEfF":
        raise ScriptError(f"The specifier %{key} is not supported in TorchScript format strings")
    if not isinstance(value, (int, float)):
        raise ScriptError(f"%{key} requires a number for formatting, but got {_tag(value)}")
    if key in "di":
        return str(_c_int(value) if isinstance(value, float) else int(value))
    return f"%.6{key}" % to_float32(value)


def _c_int(number: float) -> int:
    """Convert to a C `int` as x86 does: what does not fit becomes the least one."""
    return int(number) if -(2.0**31) <= number < 2.0**31 else -(2**31)


def _format_char(value: Any) -> str:
    if isinstance(value, int):
        return chr(value & 0xFF)
    if isinstance(value, str) and len(value) == 1:
        return value
    raise ScriptError(f"%c requires an int or char for formatting, but got {_tag(value)}")


def _tag(value: Any) -> str:
    """The name that torch's runtime has for a kind of value."""
    names: dict[type, str] = {str: "String", list: "GenericList", tuple: "Tuple"}
    if isinstance(value, torch.Tensor):
        return "Tensor"
    return names.get(type(value), "None" if value is None else type(value).__name__)


TABLE: dict[str, Callable[..., Any]] = {
    "aten::str": format_value,
    "aten::format": format_string,
    "aten::percentFormat": percent_format,
    "prim::Print": print_values,
}
