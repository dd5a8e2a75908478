"""Assignment to a subscript writes through views, masks and index tensors, and broadcasts."""

import torch


def program(x: torch.Tensor, idx: torch.Tensor, value: float) -> torch.Tensor:
    view = x[0]
    x[0, 1] = value
    x[1:, 0] = torch.tensor([7.0, 8.0])
    x[idx] = x[idx] + 100
    x[x < 0] = 0
    x[..., -1] = view.sum()
    view[:1] = -1
    x[1] = 5
    return view


def inputs():
    return [
        (torch.zeros(3, 3), torch.tensor([2]), 2.5),
        (torch.arange(9.0).view(3, 3), torch.tensor([True, False, False]), -4.0),
        (torch.zeros(2, 2), torch.tensor([0]), 1.0),
    ]
