"""`x.bernoulli(p)` takes the probabilities as a tensor, too."""

import torch


def program(x: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
    return x.bernoulli(p) + x.bernoulli(0.5)


def inputs():
    return [(torch.zeros(4), torch.tensor([0.0, 1.0, 0.5, 0.5]))]
