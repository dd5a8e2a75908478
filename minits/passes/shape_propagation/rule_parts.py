"""Parts of rules: the arguments of an operator, and the metadata of a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch

from minits import torch_internals as internals
from minits.kernels.launch.properties import default_device
from minits.ops.eager_strides import contiguous_strides
from minits.types.tensor_meta import TensorMeta, can_require_grad

Arguments = dict[str, Any]
Rule = Callable[[Callable[..., Any], Arguments], Any]
"""`(the operator, its arguments by name)` to metadata, or a tuple of it. Raises what it likes
where the operator would, or where the rule does not know."""


class NoRule(Exception):
    """The rule does not cover these arguments."""


def metas_in(value: Any) -> Iterator[TensorMeta]:
    """Yield the metadata of tensors in an argument, those in lists and tuples included."""
    if isinstance(value, TensorMeta):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from metas_in(item)


def device_of(metas: Sequence[TensorMeta]) -> torch.device:
    """Return the device of the result: tensors of rank 0 on the CPU go along with others.

    Raises `NoRule` where the devices disagree.
    """
    strong = {meta.device for meta in metas if meta.rank or meta.device.type != "cpu"}
    if len(strong) > 1:
        raise NoRule("the tensors are on several devices")
    if strong:
        return strong.pop()
    return metas[0].device if metas else device_of_factories()


def device_of_factories() -> torch.device:
    """Return the device of tensors that the program makes: the modes of its caller are off here."""
    with internals.with_functions():
        return default_device()


def make(like: Sequence[TensorMeta], dtype: torch.dtype, shape: Iterable[int]) -> TensorMeta:
    """Return the metadata of a new contiguous tensor that is made of the tensors `like`."""
    shape = tuple(shape)
    requires_grad = can_require_grad(dtype) and any(meta.requires_grad for meta in like)
    return TensorMeta(dtype, device_of(like), shape, contiguous_strides(shape), requires_grad)


def one_of(meta: TensorMeta) -> torch.Tensor:
    """A tensor of one element that promotes types as a tensor of this metadata does."""
    return torch.ones((1,) if meta.rank else (), dtype=meta.dtype)


def ones_of(meta: TensorMeta) -> torch.Tensor:
    """A tensor of one element, of the same rank and dtype."""
    return torch.ones((1,) * meta.rank, dtype=meta.dtype)


def given(arguments: Arguments, tensor: Callable[[TensorMeta], torch.Tensor]) -> list[Any]:
    """Return the arguments by position, with a tensor that `tensor` makes of each metadata."""
    return [tensor(v) if isinstance(v, TensorMeta) else v for v in arguments.values()]


def dims_of(dim: Any, rank: int) -> tuple[int, ...]:
    """Return the dimensions meant by a `dim` argument: all for None and an empty list.

    Raises IndexError.
    """
    if dim is None or dim == []:
        return tuple(range(rank))
    dims = [dim] if isinstance(dim, int) else dim
    if any(not -max(rank, 1) <= d < max(rank, 1) for d in dims):
        raise IndexError(f"dimension {dim} of a tensor of rank {rank}")
    return tuple(d % rank for d in dims) if rank else ()


def dtype_of(arguments: Arguments, default: torch.dtype) -> torch.dtype:
    """Return the dtype that is asked for, or the default. Raises `NoRule`."""
    asked = arguments.get("dtype")
    if asked is None:
        return default
    return asked if isinstance(asked, torch.dtype) else dtype_numbered(asked)


_NUMBERED = (
    torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32,
    torch.float64, None, torch.complex64, torch.complex128, torch.bool, None, None, None,
    torch.bfloat16,
)  # fmt: skip
"""Source: c10/core/ScalarType.h."""


def dtype_numbered(number: int) -> torch.dtype:
    """Return the dtype that torch's IR gives as an int. Raises `NoRule`."""
    dtype = _NUMBERED[number] if 0 <= number < len(_NUMBERED) else None
    if dtype is None:
        raise NoRule(f"dtype number {number}")
    return dtype
