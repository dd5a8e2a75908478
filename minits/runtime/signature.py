"""What a plan relies on of a tensor."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Signature(NamedTuple):
    """Which plan a tensor fits; other sizes have the same signature, unless they are one."""

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


def signature_of(tensor: Tensor) -> Signature:
    return Signature(
        tensor.dtype,
        tensor.device,
        tuple([size == 1 for size in tensor.shape]),
        tensor.is_contiguous() if tensor.layout == torch.strided else False,
        tensor.requires_grad,
    )
