"""Quantized tensors: integers in a storage, and what turns them into real numbers.

    real = (integer - zero point) * scale

Scale and zero point are one pair for the whole tensor, or one pair for each index of an axis.

Source: torch/csrc/jit/serialization/unpickler.cpp (`Unpickler::rebuildTensor`).
Differs: scales and zero points are checked, and must be as many as the axis is long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor

from minits import torch_internals as internals
from minits.archive.errors import ArchiveError
from minits.archive.pickling.descriptions import TensorOf

QUANTIZED = frozenset(("QInt8", "QUInt8", "QInt32"))
"""The storages of quantized tensors."""
_ZERO_POINTS = range(-(2**31), 2**31)


def quantized_tensor(
    described: TensorOf, flat: Tensor, read: Callable[[TensorOf], Tensor], record: str
) -> Tensor:
    """Return the quantized tensor that sees the elements of `flat`, whose bounds are checked.

    `read` makes the tensors of scales and zero points. Raises `ArchiveError`.
    """
    assert described.quantizer is not None
    scheme, *numbers = described.quantizer
    dtype = described.storage.dtype
    if dtype not in QUANTIZED:
        raise ArchiveError(f"tensors of {dtype} are not quantized", record)
    if scheme == "per_tensor_affine":
        empty = _per_tensor(numbers, flat, record)
    elif scheme in ("per_channel_affine", "per_channel_affine_float_qparams"):
        empty = _per_channel(scheme, numbers, described, flat, read, record)
    else:
        raise ArchiveError(f"tensors quantized as {scheme} are not read", record)
    offset, size, stride = described.offset, described.size, described.stride
    return empty.set_(flat.untyped_storage(), offset, size, stride)


def _per_tensor(numbers: list[Any], flat: Tensor, record: str) -> Tensor:
    scale, zero_point = numbers
    if scale.__class__ is not float or not _is_zero_point(zero_point):
        raise ArchiveError("a quantized tensor has a scale and a zero point of 32 bits", record)
    empty: Tensor = internals.empty_quantized(
        [0], scale=scale, zero_point=zero_point, dtype=flat.dtype, device=flat.device
    )
    return empty


def _per_channel(
    scheme: str,
    numbers: list[Any],
    described: TensorOf,
    flat: Tensor,
    read: Callable[[TensorOf], Tensor],
    record: str,
) -> Tensor:
    *pair, axis = numbers
    if axis.__class__ is not int or not 0 <= axis < len(described.size):
        raise ArchiveError("the axis of a quantized tensor is none of its dimensions", record)
    is_float = scheme == "per_channel_affine_float_qparams"
    kinds = ("Float", "Float") if is_float else ("Double", "Long")
    count = described.size[axis]
    for part, kind in zip(pair, kinds, strict=True):
        if not _is_row(part, kind, count):
            message = f"there must be {count} scales and zero points, of {' and '.join(kinds)}"
            raise ArchiveError(message, record)
    scales, zero_points = map(read, pair)
    if not is_float and not all(map(_is_zero_point, zero_points.tolist())):
        raise ArchiveError("a zero point has more than 32 bits", record)
    size = [0] * len(described.size)
    size[axis] = count
    empty: Tensor = internals.empty_quantized_by_channel(
        size if len(size) > 1 else [count],
        scales=scales,
        zero_points=zero_points,
        axis=axis,
        dtype=flat.dtype,
        device=flat.device,
    )
    return empty


def _is_row(part: Any, kind: str, count: int) -> bool:
    """Return whether a description is that of `count` unquantized numbers of a kind."""
    if not isinstance(part, TensorOf) or part.quantizer is not None:
        return False
    is_whole = part.size == (count,) and part.storage.numel >= count
    return part.storage.dtype == kind and is_whole


def _is_zero_point(value: Any) -> bool:
    return value.__class__ is int and value in _ZERO_POINTS
