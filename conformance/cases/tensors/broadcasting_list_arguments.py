"""One int serves where a list of a fixed size is wanted; a tuple and a list serve alike."""

from typing import List

import torch
import torch.nn.functional as F


def program(x: torch.Tensor, n: int) -> List[torch.Tensor]:
    return [
        F.max_pool2d(x, n),
        F.max_pool2d(x, (n, 1), stride=1),
        F.avg_pool2d(x, [1, n]),
        torch.max_pool2d(x, n, 1, 1),
        x.sum(1),
        x.sum([0, 1]),
        x.sum((0, -1), keepdim=True),
        torch.zeros(n),
        torch.zeros(n, 2),
        torch.ones([n, 1]),
        x.reshape(-1),
        x.permute(1, 0, 2, 3)[0],
        x.repeat(1, n, 1, 1).mean(dim=[2, 3]),
    ]


def inputs():
    return [(torch.arange(16.0).view(1, 1, 4, 4), 2), (torch.arange(32.0).view(2, 1, 4, 4), 1)]
