"""The arguments of calls: descriptions that make the same tensor each time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from conformance.fuzz.calls.written import Written

LAYOUTS = ("plain", "transposed", "sliced", "expanded", "channels_last", "offset", "unfolded")
BITS = ("", "neg", "conj", "imag", "imag of conj")
KINDS = (
    "parameter subclass wrapper meta sparse csr nested jagged mkldnn zero inference quantized"
).split()
"""Tensors that are no plain ones."""


class Subclass(Tensor):  # type: ignore[misc]
    """A subclass that changes nothing."""


class Wrapper(Tensor):  # type: ignore[misc]
    """A tensor that has another one, and sees each operator."""

    inner: Tensor

    @staticmethod
    def __new__(cls, inner: Tensor) -> Wrapper:
        made: Wrapper = Tensor._make_wrapper_subclass(
            cls,
            inner.size(),
            strides=inner.stride(),
            storage_offset=inner.storage_offset(),
            dtype=inner.dtype,
            device=inner.device,
            requires_grad=inner.requires_grad,
        )
        made.inner = inner
        return made

    @classmethod
    def __torch_dispatch__(
        cls, function: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        inner = torch.utils._pytree.tree_map_only(cls, lambda x: x.inner, (args, kwargs or {}))
        result = function(*inner[0], **inner[1])
        return torch.utils._pytree.tree_map_only(Tensor, cls, result)


@dataclass(frozen=True, repr=False)
class T(Written):
    """A tensor: `T((2, 3), "float64", "transposed")`."""

    shape: tuple[int, ...] = (2, 3)
    dtype: str = "float32"
    layout: str = "plain"
    bits: str = ""
    kind: str = ""
    grad: bool = False
    seed: int = 0

    def make(self) -> Tensor:
        """Make the tensor, plain if its shape cannot have the layout: no vector is transposed."""
        if self.kind == "inference":
            with torch.inference_mode():
                return self._laid_out()
        made = _of_kind(self._laid_out(), self.kind)
        if self.grad and made.is_leaf and (made.is_floating_point() or made.is_complex()):
            made.requires_grad_()
        return made

    def _laid_out(self) -> Tensor:
        dtype: torch.dtype = getattr(torch, self.dtype)
        if self.bits in ("imag", "imag of conj") and dtype.is_floating_point:
            if dtype == torch.bfloat16:
                dtype = torch.float32
            pairs = laid_out(self.shape, dtype.to_complex(), self.layout, self.seed)
            return pairs.imag if self.bits == "imag" else pairs.conj().imag
        made = laid_out(self.shape, dtype, self.layout, self.seed)
        if self.bits == "neg" and dtype != torch.bool:
            return torch._neg_view(made)
        return made.conj() if self.bits == "conj" and dtype.is_complex else made


def laid_out(shape: tuple[int, ...], dtype: torch.dtype, layout: str, seed: int) -> Tensor:
    """A tensor of small numbers that lies in memory in some way."""
    rank, sizes = len(shape), list(shape)
    match layout:
        case "transposed" if rank >= 2:
            sizes[-1], sizes[-2] = sizes[-2], sizes[-1]
            return numbers(sizes, dtype, seed).transpose(-1, -2)
        case "sliced" if rank:
            sizes[-1] = 2 * sizes[-1] + 1
            return numbers(sizes, dtype, seed)[..., 1::2]
        case "expanded" if rank:
            return numbers([1, *sizes[1:]], dtype, seed).expand(sizes)
        case "channels_last" if rank == 4:
            return numbers(sizes, dtype, seed).contiguous(memory_format=torch.channels_last)
        case "offset":
            return numbers([math.prod(sizes) + 3], dtype, seed)[3:].view(sizes)
        case "unfolded" if rank >= 2 and 0 not in sizes:
            flat = numbers([math.prod(sizes[:-1]) + sizes[-1]], dtype, seed)
            strides = [math.prod(sizes[i + 1 : -1]) for i in range(rank - 1)] + [1]
            return flat.as_strided(sizes, strides)
    return numbers(sizes, dtype, seed)


def numbers(shape: list[int], dtype: torch.dtype, seed: int) -> Tensor:
    """Numbers between -2 and 2, in eighths, which every floating dtype holds; integers up to 4."""
    generator = torch.Generator().manual_seed(seed)
    wide = torch.complex128 if dtype.is_complex else torch.float64
    made = torch.randint(-16, 17, shape, generator=generator).to(wide) / 8
    if dtype.is_complex:
        made = made + 1j * torch.randint(-16, 17, shape, generator=generator) / 8
    if dtype == torch.bool:
        return made > 0
    if dtype.is_floating_point or dtype.is_complex:
        return made.to(dtype)
    return (2 * (made.abs() if dtype == torch.uint8 else made)).to(dtype)


def _of_kind(made: Tensor, kind: str) -> Tensor:
    match kind:
        case "parameter":
            return torch.nn.Parameter(made, requires_grad=False)
        case "subclass":
            return made.as_subclass(Subclass)
        case "wrapper":
            return Wrapper(made)
        case "meta":
            return made.to("meta")
        case "sparse":
            return made.to_sparse()
        case "csr" if made.dim() == 2:
            return made.to_sparse_csr()
        case "nested" if made.dim():
            return torch.nested.nested_tensor(list(made.unbind(0)) or [made])
        case "jagged" if made.dim() > 1 and len(made):
            return torch.nested.nested_tensor(list(made.unbind(0)), layout=torch.jagged)
        case "mkldnn" if made.dtype == torch.float32 and made.numel():
            return made.contiguous().to_mkldnn()
        case "zero":
            return torch._efficientzerotensor(made.shape, dtype=made.dtype)
        case "quantized" if made.dtype == torch.float32:
            return torch.quantize_per_tensor(made, 0.125, 0, torch.qint8)
    return made
