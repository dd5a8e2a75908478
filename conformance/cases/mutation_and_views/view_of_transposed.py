"""A view needs memory in order: of a transposed tensor it raises, where reshape makes a copy."""

import torch


def program(x: torch.Tensor, copy: bool) -> torch.Tensor:
    flat = x.t().reshape(-1) if copy else x.t().view(-1)
    flat[0] = 50
    return x


def inputs():
    return [(torch.zeros(2, 3), True), (torch.zeros(2, 3), False), (torch.zeros(1, 3), False)]
