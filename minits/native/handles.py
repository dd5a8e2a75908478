"""Tensors between Python and C: handles of torch's C interface.

A handle is the address of a word that has the tensor. C is lent those of the call's own tensors,
and gives out new ones, which Python takes over.
"""

from __future__ import annotations

import ctypes
from typing import Any

import torch

from minits.torch_internals import address_of_tensor, tensor_of_handle

PLAIN_TYPES = (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer)
"""Classes of tensors whose operators are torch's."""
_Word = ctypes.c_int64 * 1
_ITEMS = 24
"""The place of the pointer to the items in an `mts_list`."""


def number_of_tensor(tensor: torch.Tensor) -> int:
    """Return the number in the word that a handle of a tensor points to.

    Raises `ctypes.ArgumentError` for an object of a subclass, whose operators are its own, and for
    a tensor with the negative bit, whose memory has other numbers.
    """
    if type(tensor) not in PLAIN_TYPES or tensor.is_neg():
        raise ctypes.ArgumentError(f"{type(tensor).__name__} is no plain tensor")
    return address_of_tensor(tensor)


def handle_of(tensor: torch.Tensor | None) -> Any:
    """Return the word of a tensor, which C takes for a handle of it; None for None.

    Raises `ctypes.ArgumentError`, as `number_of_tensor`.
    """
    return None if tensor is None else _Word(number_of_tensor(tensor))


def handle_of_dense(tensor: torch.Tensor | None) -> Any:
    """Return the same of a tensor that has memory, and is neither sparse, nested nor quantized.

    Operators of those take no tensors for numbers, as C passes them. Those without memory may be
    added to what is on another device, but in place only. Raises `ctypes.ArgumentError`.
    """
    if tensor is not None and (
        tensor.layout is not torch.strided
        or tensor.is_nested
        or tensor.is_quantized
        or tensor.is_meta
    ):
        raise ctypes.ArgumentError("a tensor is not dense")
    return handle_of(tensor)


def tensor_at(address: int) -> torch.Tensor:
    """Return the tensor of the `mts_list` at an address."""
    items = ctypes.c_int64.from_address(address + _ITEMS).value
    return tensor_of_handle(ctypes.c_int64.from_address(items).value)


def object_at(address: int) -> Any:
    """Return the object of Python at an address; None for 0, which no program reads."""
    return ctypes.cast(address, ctypes.py_object).value if address else None
