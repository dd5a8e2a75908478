"""Assignment through masks and index tensors writes each selected element."""

import torch


def program(x: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
    x[x > 3] = -1
    x[i] = 9
    x[i, 1] = torch.arange(i.numel()).to(x.dtype)
    x[:, [0]] = 5
    return x


def inputs():
    return [
        (torch.arange(6).view(3, 2), torch.tensor([0, 2])),
        (torch.arange(6).view(3, 2).float(), torch.tensor([], dtype=torch.int64)),
        (torch.arange(6).view(3, 2), torch.tensor([3])),
    ]
