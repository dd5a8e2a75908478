"""Tensor metadata: what is known of a tensor before it exists."""

from __future__ import annotations

import torch

from minits.records import dataclass
from minits.torch_internals import is_batched, is_functional, is_wrapped, is_zero_tensor

_PLAIN_TYPES = (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer)


@dataclass(frozen=True, slots=True)
class TensorMeta:
    """A tensor as the first call of a plan has it. Sizes are an example; ones are relied upon."""

    dtype: torch.dtype
    device: torch.device
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    requires_grad: bool = False

    @property
    def rank(self) -> int:
        return len(self.shape)


def can_require_grad(dtype: torch.dtype) -> bool:
    """Return whether gradients of tensors of a dtype can be recorded."""
    return bool(dtype.is_floating_point or dtype.is_complex)


def is_plain(tensor: torch.Tensor) -> bool:
    """Return whether the elements lie in memory by sizes and strides, and mean what they say.

    Not so for sparse, nested and quantized tensors, those of other libraries, subclasses, views
    with the negative or conjugate bit, zeros without memory, and what transforms wrap.
    """
    return (
        type(tensor) in _PLAIN_TYPES
        and tensor.layout is torch.strided
        and not (tensor.is_nested or tensor.is_quantized or is_zero_tensor(tensor))
        and not (tensor.is_neg() or tensor.is_conj())
        and not (is_wrapped(tensor) or is_batched(tensor) or is_functional(tensor))
    )


def like(meta: TensorMeta) -> torch.Tensor:
    """Return a tensor of this shape, strides and dtype, without data."""
    return torch.empty_strided(meta.shape, meta.strides, dtype=meta.dtype, device="meta")


def stand_in(meta: TensorMeta) -> torch.Tensor:
    """Return a tensor of ones with this metadata."""
    made = torch.empty_strided(meta.shape, meta.strides, dtype=meta.dtype, device=meta.device)
    return made.fill_(1).requires_grad_(meta.requires_grad)


def meta_of(tensor: torch.Tensor) -> TensorMeta:
    """Return the metadata of a plain tensor."""
    return TensorMeta(
        tensor.dtype,
        tensor.device,
        tuple(tensor.shape),
        tuple(tensor.stride()),
        tensor.requires_grad,
    )
