"""Numbers as tensors: what operators see where a program gives them a number of Python.

Such a tensor widens the dtype of no other: an int8 times 3 is an int8. torch marks it in C++, and
makes it of any number that an operator gets in the place of a tensor.

Source: c10/core/TensorImpl.h (`is_wrapped_number`).
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor

from minits.torch_internals import saved_other, unseen_by_modes

NUMBER_DTYPES = {
    bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128,
}  # fmt: skip
"""The dtypes of numbers as tensors."""
_NARROW = {
    torch.int64: torch.int8, torch.float64: torch.float16, torch.complex128: torch.complex64,
}  # fmt: skip
"""For each of them, but for bool: a narrower one that a number leaves alone."""


def wrapped_number(number: bool | int | float | complex) -> Tensor:
    """Return a number of Python as operators see it: a tensor without dimensions.

    It is the one that a node of autograd was given. Where nodes do not tell, it is a plain one, and
    a traced `x * 2.5` of integers gives float64.
    """
    with torch.inference_mode(False), torch.enable_grad(), unseen_by_modes():
        dtype = torch.complex64 if isinstance(number, complex) else torch.float32
        product = torch.ones(1, dtype=dtype, device="cpu", requires_grad=True).mul(number)
        made = saved_other(product.grad_fn)
        return (
            torch.scalar_tensor(number, dtype=NUMBER_DTYPES[type(number)]) if made is None else made
        )


def is_wrapped_number(tensor: Tensor) -> bool:
    """Return whether a tensor is a number that has been wrapped; bools widen nothing anyway."""
    narrow = _NARROW.get(tensor.dtype)
    if narrow is None or tensor.dim() != 0:
        return False
    with unseen_by_modes():
        other = torch.empty((), dtype=narrow, device=tensor.device)
        return bool(torch.result_type(other, tensor) == narrow)


def number_of(tensor: Tensor) -> int | float | complex:
    """Return the number that a tensor without dimensions holds, whatever mode is on."""
    with unseen_by_modes():
        return cast("int | float | complex", tensor.item())
