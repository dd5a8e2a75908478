"""A seed is no Generator."""

import torch


def program(generator: torch.Generator, seed: int) -> torch.Tensor:
    x = torch.rand(2, generator=generator)
    return x + torch.rand(2, generator=seed)  # error
