"""Conversion of Python's numbers, and those of numpy and others, to TorchScript's types.

Source: torch/csrc/jit/python/pybind_utils.h (`toIValue`) and the casters of pybind11.
Differs: an unsigned number of 64 bits does not fit a `Scalar`; torch takes it there alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from minits.types.dtypes import enum_code
from minits.types.int64 import MAX_INT, MIN_INT


class Unfit(Exception):
    """Raised for a value that is not of a type. Its argument, if any, gives the reason."""


def to_int(value: Any) -> int:
    """Convert to int all that `int` accepts but floats and texts; fractions are truncated.

    Raises `Unfit`.
    """
    if value.__class__ is int:
        if MIN_INT <= value <= MAX_INT:
            return value
        raise Unfit(f"{value} has more than 64 bits")
    if isinstance(value, int):
        return to_int(int(value))
    code = enum_code(value)
    if code is not None:
        return code
    if isinstance(value, torch.Tensor):
        if value.numel() == 1 and not value.is_complex():
            return int(value)
        raise Unfit
    if isinstance(value, float):
        raise Unfit
    return to_int(_number_by(int, ("__index__", "__int__", "__trunc__"), value))


def to_listed_int(value: Any) -> int:
    """An element of a list of ints, for which torch takes numbers alone: a dtype is an int as an
    argument of its own, in a tuple, a dict or a list of Optionals. Raises `Unfit`.
    """
    if value.__class__ is not int and enum_code(value) is not None:
        raise Unfit(f"torch.jit makes no number of {value} within a list; a tuple may hold it")
    return to_int(value)


def to_float(value: Any) -> float:
    """Convert a number, or a tensor of one element, to float. Raises `Unfit`."""
    if value.__class__ is float:
        return value
    if isinstance(value, torch.Tensor) and (value.numel() != 1 or value.is_complex()):
        raise Unfit
    return float(_number_by(float, ("__float__", "__index__"), value))


def to_complex(value: Any) -> complex:
    """Convert a number, or a tensor of one element, to complex. Raises `Unfit`."""
    if isinstance(value, torch.Tensor):
        if value.numel() != 1:
            raise Unfit
        value = value.item()
    return complex(_number_by(complex, ("__complex__", "__float__", "__index__"), value))


def to_bool(value: Any) -> bool:
    """Convert a value that has `__bool__`. Raises `Unfit` for one that has only a length."""
    return value is not None and bool(_number_by(bool, ("__bool__",), value))


def _number_by(make: Callable[[Any], Any], methods: tuple[str, ...], value: Any) -> Any:
    """Convert a value whose class has one of these methods. Raises `Unfit`."""
    if isinstance(value, str) or not any(
        name in vars(c) for c in type(value).__mro__ for name in methods
    ):
        raise Unfit
    try:
        return make(value)
    except (ArithmeticError, TypeError, ValueError, RuntimeError) as why:
        raise Unfit(str(why)) from None


def to_number(value: Any) -> Any:
    """Return a value that fits a `Scalar`: an int, float, complex, bool, or a dtype's code.

    Raises `Unfit` for any other value, tensors included.
    """
    if isinstance(value, int) or enum_code(value) is not None:
        return value if isinstance(value, bool) else to_int(value)
    if isinstance(value, (float, complex)):
        return built_in(value)
    raise Unfit


def built_in(value: Any) -> Any:
    """Return a number or text of a subclass, such as `torch.__version__`, as the builtin class."""
    if isinstance(value, str):
        return str.__str__(value)
    classes: tuple[Any, ...] = (bool, int, float, complex)
    return next((cls(value) for cls in classes if isinstance(value, cls)), value)
