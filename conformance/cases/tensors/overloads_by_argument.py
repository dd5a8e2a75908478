"""One name, many overloads: which is chosen depends on the types and number of arguments."""

from typing import List

import torch


def program(x: torch.Tensor, y: torch.Tensor, n: int) -> List[torch.Tensor]:
    found = [torch.max(x), torch.max(x, y), torch.max(x, 0)[0], torch.max(x, dim=0, keepdim=True)[1]]
    found += [torch.pow(x, y), torch.pow(x, n), torch.pow(n, y), x.sum(), x.sum(0), x.sum(dtype=torch.float64)]
    found += [x.div(y), x.div(y, rounding_mode="floor"), x.div(n), x.transpose(0, -1), x.squeeze(), x.squeeze(0)]
    found += [x.all(), x.std(unbiased=False), x.std(0, unbiased=True), x.flatten(), x.flatten(start_dim=0)]
    return found


def inputs():
    return [
        (torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[2.0, 1.0], [0.0, 3.0]]), 2),
        (torch.tensor([[4.0], [1.5]]), torch.tensor([[1.0], [2.0]]), 3),
    ]
