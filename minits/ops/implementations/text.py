"""Values as text: `str`, `print`, `format` and `%`.

Source: aten/src/ATen/core/ivalue.cpp (`operator<<`), torch/csrc/jit/runtime/vararg_functions.cpp.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import torch

from minits import torch_internals as internals
from minits.compilation_state import known_class
from minits.ops.errors import ScriptError
from minits.ops.implementations.numbers import to_float32
from minits.ops.tensor_text import format_tensor
from minits.types import value_text


def format_value(value: Any) -> str:
    """Return the text of a value as TorchScript shows it: `1.`, `[a, b]` without quotes."""
    return value_text.format_value(value, _format_other)


def _format_other(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return format_tensor(value)
    if isinstance(value, (internals.FUTURE, torch.Generator)):
        return type(value).__name__
    known = known_class(value)
    name = type(value).__name__ if known is None else known.name
    return f"<{name} object at {id(value):#x}>"


def encoded(text: str) -> bytes:
    """Return the bytes that a str is in TorchScript (`strings.py`)."""
    return text.encode("utf-8", "surrogateescape")


def print_values(*values: Any) -> None:
    sys.stdout.write(printed_text(*values))


def printed_text(*values: Any) -> str:
    """Return the line that `print` writes of these values, with its end."""
    return " ".join(map(format_value, values)) + "\n"


def format_string(pattern: str, *values: Any) -> str:
    """Replace each `{}` by the text of the next value. Raises `ScriptError`."""
    parts = pattern.split("{}")
    if len(parts) - 1 > len(values):
        raise ScriptError(f"Too few arguments for format string: {pattern}")
    text = parts[0]
    for value, part in zip(values, parts[1:], strict=False):
        text += format_value(value) + part
    return text


def percent_format(pattern: str, arguments: Any) -> str:
    """The operator `%`; no flags, widths or precisions. Raises `ScriptError`."""
    values = arguments if isinstance(arguments, tuple) else (arguments,)
    pieces: list[str] = []
    used = begin = 0
    while (index := pattern.find("%", begin)) >= 0:
        if index == len(pattern) - 1:
            raise ScriptError("Incomplete format specifier")
        pieces.append(pattern[begin:index])
        key, begin = pattern[index + 1], index + 2
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
    sign = "-" if math.isnan(value) and math.copysign(1.0, value) < 0 else ""
    return f"{sign}%.6{key}" % to_float32(value)


def _c_int(number: float) -> int:
    """Convert to a C `int` as x86 does: what does not fit becomes the least one."""
    return int(number) if -(2.0**31) <= number < 2.0**31 else -(2**31)


def _format_char(value: Any) -> str:
    if isinstance(value, int):
        return bytes([value & 0xFF]).decode("utf-8", "surrogateescape")
    if isinstance(value, str) and len(encoded(value)) == 1:
        return value
    raise ScriptError(f"%c requires an int or char for formatting, but got {_tag(value)}")


def _tag(value: Any) -> str:
    """Return the name of a value's kind in torch's runtime."""
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
