"""From one kind of value to another: `int(x)`, `float(x)`, `bool(x)`, `torch.tensor(x)`, `tolist`.

Source: torch/csrc/jit/runtime/register_prim_ops.cpp, register_special_ops.cpp
(`createTensorFromList`), mobile/promoted_prim_ops.cpp (`toList`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from minits.ops.errors import ScriptError, ScriptValueError
from minits.ops.implementations.integers import wrap32
from minits.ops.implementations.numbers import to_int
from minits.ops.implementations.text_numbers import float_from_text, int_from_text
from minits.ops.tensor_text import name_of_dtype
from minits.types.dtypes import DTYPES
from minits.types.int64 import MAX_INT, MIN_INT
from minits.types.wrapped_number import NUMBER_DTYPES


def _real(number: Any, kind: str) -> Any:
    """The number, which must have no imaginary part; `kind` is the C++ type that it becomes."""
    if not isinstance(number, complex):
        return number
    if number.imag != 0:
        raise _overflow(kind)
    return number.real


def _overflow(kind: str) -> ScriptError:
    return ScriptError(f"value cannot be converted to type {kind} without overflow")


def int_of_scalar(number: Any) -> int:
    """Convert to int.

    Raises `ScriptError` for a float beyond 32 bits, an int beyond 64, or an imaginary part.
    """
    if isinstance(number, int):
        if number > MAX_INT:  # of a tensor of uint64
            raise _overflow("int")
        return int(number)
    value: float = _real(number, "int")
    if not -(2**31) <= value <= 2**31 - 1:
        raise _overflow("int")
    return int(value)


def float_of_scalar(number: Any) -> float:
    if type(number) is float:
        return number
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
        if integral and not _is_integral(tensor.dtype):
            raise ScriptError(
                f"Cannot input a tensor of type {name_of_dtype(tensor)} as an integral argument"
            )
        return convert(tensor.item())

    return result


def _is_integral(dtype: torch.dtype) -> bool:
    """Return whether a tensor holds integers; bools are none."""
    return not (dtype.is_floating_point or dtype.is_complex or dtype == torch.bool)


def int_of_tensor(tensor: torch.Tensor) -> int:
    """Convert a tensor of one element to int.

    Raises `ScriptError` beyond 64 bits, or for an imaginary part.
    """
    value = tensor.item()
    if type(value) is int and value <= MAX_INT:
        return value
    value = _real(value, "int64_t")
    greatest = float(MAX_INT) if isinstance(value, float) else MAX_INT
    if not MIN_INT <= value <= greatest:
        raise _overflow("int64_t")
    return to_int(value) if isinstance(value, float) else int(value)


def float_of_tensor(tensor: torch.Tensor) -> float:
    """Convert a tensor of one element. Raises `ScriptError` for one with an imaginary part."""
    value = tensor.item()
    return value if type(value) is float else _to_double(value)


def _to_double(number: Any) -> float:
    return float(_real(number, "double"))


def _same(value: Any) -> Any:
    return value


_SYMBOLS: dict[type, type] = {torch.SymInt: int, torch.SymFloat: float, torch.SymBool: bool}
"""The classes of numbers that exporters follow, each with that of the number."""


def tensor_of_number(value: Any) -> torch.Tensor:
    """A 0-dimensional tensor of the number's own width: int64, float64, complex128, bool.

    Numbers may be symbols, where an exporter follows sizes, and tensors under torch.jit.trace.
    """
    if isinstance(value, torch.Tensor):
        return value
    symbol = _SYMBOLS.get(type(value))
    if symbol is not None:
        return torch.scalar_tensor(value, dtype=NUMBER_DTYPES[symbol], device="cpu")
    return torch.tensor(value, dtype=NUMBER_DTYPES[type(value)], device="cpu")


def tensor_of_scalar(
    value: Any, dtype: int | None, device: Any, requires_grad: bool = False
) -> torch.Tensor:
    """`torch.tensor(value)`, 0-dimensional: of the dtype that the number has by itself, then cast.

    So 300 as uint8 is 44, where torch.tensor refuses it in Python.
    """
    tensor = _cast(
        torch.scalar_tensor(value, dtype=_own_dtype(value), device=device), dtype, device
    )
    return tensor.requires_grad_() if requires_grad else tensor


def _own_dtype(value: Any) -> torch.dtype:
    """Return the dtype of a tensor made of a number; for floats, the default dtype."""
    if isinstance(value, (bool, int)):
        return NUMBER_DTYPES[type(value)]
    floating = torch.get_default_dtype()
    return floating if isinstance(value, float) else floating.to_complex()


def tensor_of_list(
    data: list[Any],
    element: torch.dtype | None,
    dtype: int | None,
    device: Any,
    requires_grad: bool = False,
) -> torch.Tensor:
    """`torch.tensor(list)`; `element`: the dtype of the items' type, None for the default dtype.

    Raises `ScriptValueError`.
    """
    try:
        first = torch.tensor(data, dtype=element or torch.get_default_dtype(), device=device)
    except ValueError as ragged:
        text = str(ragged)
        raise ScriptValueError(f"{text[:1].upper()}{text[1:]}") from None
    tensor = _cast(first, dtype, device)
    return tensor.requires_grad_() if requires_grad else tensor


def as_tensor(data: torch.Tensor, dtype: int | None, device: Any) -> torch.Tensor:
    """Return `data`, converted to the dtype of this number and to the device, if they are given."""
    return _cast(data, dtype, device)


def _cast(tensor: torch.Tensor, dtype: int | None, device: Any) -> torch.Tensor:
    """Source: torch/csrc/jit/runtime/register_special_ops.cpp (`castTensorTo`)."""
    if dtype is None and device is None:
        return tensor
    return tensor.to(device=device, dtype=None if dtype is None else dtype_of(dtype))


def dtype_of(code: int) -> torch.dtype:
    """Return the dtype of a number that the program may have computed. Raises `ScriptError`."""
    dtype = DTYPES.get(code)
    if dtype is None:
        raise ScriptError(f"{code} is the number of no dtype")
    return dtype


def to_list(tensor: torch.Tensor, dimensions: int, element: int) -> Any:
    """The elements as nested lists; the annotation must fit the tensor. Raises `ScriptError`."""
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
    "aten::FloatImplicit": implicit(_to_double),
    "aten::ComplexImplicit": implicit(complex),
    "aten::ScalarImplicit": implicit(_same),
    "prim::NumToTensor.Scalar": tensor_of_number,
    "prim::NumToTensor.bool": tensor_of_number,
    **{f"aten::tensor.{kind}": tensor_of_scalar for kind in (*_KINDS, "complex")},
    **{f"aten::as_tensor.{kind}": tensor_of_scalar for kind in (*_KINDS, "complex")},
    "aten::as_tensor": as_tensor,
    "prim::tolist": to_list,
}
