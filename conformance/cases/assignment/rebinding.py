"""A name may be bound anew to a value of another type in the block that bound it first."""

from typing import List, Tuple

import torch


def program(n: int, x: torch.Tensor) -> Tuple[str, List[int], torch.Tensor]:
    value = n
    doubled = value * 2
    value = str(doubled)
    x = x + doubled
    shape = x
    shape = x.size()
    return value, shape, x


def inputs():
    return [(2, torch.tensor([-10.0, 1.0])), (-3, torch.zeros(0, 2)), (0, torch.tensor(float("nan")))]
