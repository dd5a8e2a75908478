"""Where no overload takes a number and a tensor, the tensor turns into a number."""

from typing import List, Tuple

import torch


def program(x: torch.Tensor, n: int, f: float) -> Tuple[List[int], float]:
    bits = [n & x, n | x, n << x, n ^ x]
    return [n // x] + bits, f // x


def inputs():
    return [
        (torch.tensor(2), 7, 0.5),
        (torch.tensor([3]), -7, -7.5),
        (torch.tensor([1, 2]), 1, 1.0),
        (torch.tensor(1.5), 1, 1.0),
    ]
