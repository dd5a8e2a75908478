"""`x[i] += y` adds in place to a view of the tensor; to a masked or indexed part it writes back."""

import torch


def program(x: torch.Tensor, mask: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    x[0] += 1
    x[1:, 0] *= 10
    x[mask] -= 100
    x[index] *= 2
    return x


def inputs():
    x = torch.arange(6).view(3, 2)
    mask = x > 3
    return [(x, mask, torch.tensor([0, 0])), (x.float(), x < 0, torch.tensor([], dtype=torch.long))]
