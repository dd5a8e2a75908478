"""The properties of a tensor that a plan depends on."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from minits.kernels.launch.properties import ones_of
from minits.torch_internals import dispatch_keys
from minits.types.tensor_meta import is_plain


class Signature(NamedTuple):
    """The part of a tensor's metadata that chooses a plan. Sizes other than one are not in it."""

    dtype: torch.dtype
    device: torch.device
    ones: tuple[bool, ...]
    """For each dimension whether its size is one."""
    is_contiguous: bool
    requires_grad: bool

    def describe(self, name: str) -> str:
        """Return the text of a report: `x float32[*, 1] cpu strided grad`."""
        sizes = ", ".join("1" if one else "*" for one in self.ones)
        words = [name, f"{str(self.dtype).removeprefix('torch.')}[{sizes}]", str(self.device)]
        if not self.is_contiguous:
            words.append("strided")
        if self.requires_grad:
            words.append("grad")
        return " ".join(words)


class Unusual(NamedTuple):
    """A tensor that no kernel reads: sparse, nested, conjugated, of a subclass, ..."""

    type: type
    keys: Any
    """Its dispatch keys."""

    def describe(self, name: str) -> str:
        return f"{name} {self.type.__name__} that is not plain"


def signature_of(tensor: Tensor) -> Signature | Unusual:
    """Return the properties that choose a plan: dtype, device, which sizes are one, and so on.

    A tensor that is not plain is `Unusual`.
    """
    if not is_plain(tensor):
        return Unusual(type(tensor), dispatch_keys(tensor))
    return Signature(
        tensor.dtype,
        tensor.device,
        ones_of(tensor),
        tensor.is_contiguous(),
        tensor.requires_grad,
    )
