"""torch.tensor makes no tensor of a list of tensors: stack them."""

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.tensor([x, y])


def inputs():
    return [(torch.tensor(1.5), torch.tensor(2.5))]
