"""& | ^ ~ << >> work on int and bool tensors element by element, with numbers too."""

from typing import List

import torch


def program(a: torch.Tensor, b: torch.Tensor, n: int) -> List[torch.Tensor]:
    mask = (a > 1) & (b < 3) | ~(a == b)
    return [a & b, a | n, a ^ b, ~a, a << 1, b >> n, mask]


def inputs():
    return [
        (torch.tensor([1, 2, 3]), torch.tensor([3, 2, 0]), 1),
        (torch.tensor([-1]), torch.tensor([6]), 2),
    ]
