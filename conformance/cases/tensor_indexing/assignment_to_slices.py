"""Assignment through ints and slices writes into the tensor, broadcast and converted to its dtype."""

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    x[0] = 7
    x[:, 0] = y
    x[-1, 1:] = y[0] * 10
    x[..., -1] = 2.9
    return x


def inputs():
    return [
        (torch.zeros(2, 3), torch.tensor([1.5, 2.5])),
        (torch.zeros(2, 2).int(), torch.tensor([1.9, -1.9])),
        (torch.zeros(2, 2), torch.tensor([1.0])),
    ]
