"""A leaf that requires gradients is changed in place under no_grad only."""

import torch


def program(x: torch.Tensor, tracked: bool) -> torch.Tensor:
    if tracked:
        x.add_(1)
    else:
        with torch.no_grad():
            x.mul_(3)
    return x


def inputs():
    return [
        (torch.ones(2, requires_grad=True), False),
        (torch.ones(2), True),
        (torch.ones(2, requires_grad=True), True),
    ]
