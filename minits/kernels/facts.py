"""What is known of a tensor before it exists."""

from __future__ import annotations

import torch

from minits.records import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """A tensor as the first call of a plan has it. Sizes are an example; ones are relied upon."""

    dtype: torch.dtype
    device: torch.device
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    requires_grad: bool = False

    @property
    def rank(self) -> int:
        return len(self.shape)


def like(fact: Fact) -> torch.Tensor:
    """Return a tensor of a fact's shape, strides and dtype, without data."""
    return torch.empty_strided(fact.shape, fact.strides, dtype=fact.dtype, device="meta")


def fact_of(tensor: torch.Tensor) -> Fact:
    """Return the fact of a strided tensor."""
    return Fact(
        tensor.dtype,
        tensor.device,
        tuple(tensor.shape),
        tuple(tensor.stride()),
        tensor.requires_grad,
    )
