"""The augmented forms of the shifts and of ^ assign to tensors and ints."""

from typing import Tuple

import torch


def program(n: int, t: torch.Tensor) -> Tuple[int, torch.Tensor]:
    n <<= 2
    n >>= 1
    n ^= 5
    n |= 8
    n &= 13
    t <<= 1
    t ^= 3
    return n, t


def inputs():
    return [(3, torch.tensor([1, 2])), (-1, torch.tensor([0]))]
