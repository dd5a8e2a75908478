"""From one kind of value to another: `int(x)`, `float(x)`, `bool(x)`, `torch.tensor(x)`, `tolist`.

Source: torch/csrc/jit/runtime/register_prim_ops.cpp, register_special_ops.cpp
(`createTensorFromList`), mobile/promoted_prim_ops.cpp (`toList`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch

from minits.ops.errors import ScriptError, ScriptIndexError, ScriptValueError
from minits.ops.implementations.integers import wrap32
from minits.ops.implementations.numbers import to_int
from minits.types.dtypes import DTYPES
from minits.types.int64 import MAX_INT, MIN_INT

_INTEGER = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)")
_HEXADECIMAL = r"0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?"
_DECIMAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?"
_FLOAT = re.compile(
    rf"[ \t\n\v\f\r]*([+-]?(?:{_HEXADECIMAL}|{_DECIMAL}|inf(?:inity)?|nan))", re.IGNORECASE
)


def int_from_text(text: str) -> int:
    """C++'s `stoll`: space before, none after."""
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
    """C++'s `stod`: hexadecimal floats too, no underscores."""
    match = _FLOAT.match(text)
    if match is None:
        raise ScriptValueError("stod")
    if match.end() != len(text):
        raise ScriptError(f"could not convert string to float: '{text}'")
    digits = match[1]
    return float.fromhex(digits) if "x" in digits.lower() else float(digits)


def int_of_scalar(number: Any) -> int:
    return (
        to_int(number.real if isinstance(number, complex) else float(number))
        if not isinstance(number, int)
        else int(number)
    )


def float_of_scalar(number: Any) -> float:
    return number.real if isinstance(number, complex) else float(number)


def implicit(convert: Callable[[Any], Any], integral: bool = False) -> Callable[[Any], Any]:
    """A tensor where a number is expected: without gradient, of no dimension."""

    def result(tensor: torch.Tensor) -> Any:
        if tensor.requires_grad:
            raise ScriptError("Cannot input a tensor that requires grad as a scalar argument")
        if tensor.dim() != 0:
            raise ScriptError(
                "Cannot input a tensor of dimension other than 0 as a scalar argument"
            )
        if integral and (tensor.dtype.is_floating_point or tensor.dtype.is_complex):
            raise ScriptError(
                f"Cannot input a tensor of type {tensor.dtype} as an integral argument"
            )
        return convert(tensor.item())

    return result


def int_of_tensor(tensor: torch.Tensor) -> int:
    value = tensor.item()
    return to_int(value) if isinstance(value, float) else int(value)


def float_of_tensor(tensor: torch.Tensor) -> float:
    return float(tensor.item())


def _same(value: Any) -> Any:
    return value


def tensor_of_number(value: Any) -> torch.Tensor:
    """A 0-dimensional tensor of the number's own width: int64, float64, complex128, bool."""
    return torch.tensor(value, dtype=_WIDEST[type(value)])


_WIDEST = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}


def make_tensor(
    data: Any, dtype: int | None, device: Any, requires_grad: bool = False
) -> torch.Tensor:
    """`torch.tensor(data)`: floats are of the default dtype unless one is given."""
    chosen = None if dtype is None else DTYPES[dtype]
    try:
        return torch.tensor(_plain(data), dtype=chosen, device=device, requires_grad=requires_grad)
    except ValueError as ragged:
        text = str(ragged)
        raise ScriptValueError(f"{text[:1].upper()}{text[1:]}") from None


def _plain(data: Any) -> Any:
    return data.detach() if isinstance(data, torch.Tensor) else data


def as_tensor(data: Any, dtype: int | None, device: Any) -> torch.Tensor:
    return torch.as_tensor(data, dtype=None if dtype is None else DTYPES[dtype], device=device)


def to_list(tensor: torch.Tensor, dimensions: int, element: int) -> Any:
    """The elements as nested lists; the annotation must fit the tensor."""
    wanted = (torch.int64, torch.float32, torch.bool, torch.complex64)[element]
    fits = (
        tensor.is_floating_point()
        if element == 1
        else tensor.is_complex()
        if element == 3
        else tensor.dtype == wanted
    )
    if not fits:
        raise ScriptError(
            "Output annotation element type and runtime tensor element type must match for tolist()"
        )
    if dimensions != tensor.dim():
        raise ScriptError(
            "Output annotation list dimension and runtime tensor dimension must match for tolist()"
        )
    return tensor.tolist()


def _complex(real: Any, imaginary: Any) -> complex:
    """torch reads an int as a C `int`: its lowest 32 bits."""
    return complex(_part(real), _part(imaginary))


def _part(number: Any) -> float:
    return float(wrap32(number) if type(number) is int else number)


_KINDS = ("int", "float", "bool")
TABLE: dict[str, Callable[..., Any]] = {
    "aten::Bool.Tensor": bool,
    "aten::Bool.int": bool,
    "aten::Bool.float": bool,
    "aten::Int.Tensor": int_of_tensor,
    "aten::Int.bool": int,
    "aten::Int.float": to_int,
    "aten::Int.Scalar": int_of_scalar,
    "aten::Int.str": int_from_text,
    "aten::Float.Tensor": float_of_tensor,
    "aten::Float.Scalar": float_of_scalar,
    "aten::Float.int": float,
    "aten::Float.bool": float,
    "aten::Float.str": float_from_text,
    "aten::Complex.Scalar": complex,
    "aten::Complex.Tensor_Tensor": _complex,
    **{f"aten::Complex.{a}_{b}": _complex for a in _KINDS for b in _KINDS},
    **{f"aten::Complex.Tensor_{kind}": _complex for kind in _KINDS},
    **{f"aten::Complex.{kind}_Tensor": _complex for kind in _KINDS},
    "aten::IntImplicit": implicit(int, integral=True),
    "aten::FloatImplicit": implicit(float),
    "aten::ComplexImplicit": implicit(complex),
    "aten::ScalarImplicit": implicit(_same),
    "prim::NumToTensor.Scalar": tensor_of_number,
    "prim::NumToTensor.bool": tensor_of_number,
    **{f"aten::tensor.{kind}": make_tensor for kind in (*_KINDS, "complex")},
    **{f"aten::as_tensor.{kind}": make_tensor for kind in (*_KINDS, "complex")},
    "aten::tensor": make_tensor,
    "aten::as_tensor": as_tensor,
    "aten::as_tensor.list": make_tensor,
    "prim::tolist": to_list,
}
