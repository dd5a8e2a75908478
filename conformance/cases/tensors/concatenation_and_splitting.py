"""cat, stack, split, chunk, unbind: lists of tensors as arguments and as results."""

from typing import List

import torch


def program(x: torch.Tensor, sizes: List[int]) -> List[torch.Tensor]:
    parts = x.split(sizes, dim=1)
    a, b = x.chunk(2, dim=0)
    first, second = torch.unbind(torch.stack([a, b], dim=-1), -1)
    joined = torch.cat(parts[::-1] if len(parts) == 1 else [p * 2 for p in parts], 1)
    return [joined, torch.cat((a, b)), first - second, torch.hstack([a, b])] + x.split(1)


def inputs():
    return [
        (torch.arange(8).view(2, 4), [1, 3]),
        (torch.arange(8.0).view(4, 2), [2]),
        (torch.arange(4).view(2, 2), [1, 2]),
    ]
