"""Three programs for the tiny compiler, which torch.jit compiles as well."""

from typing import Optional

import torch
from torch import Tensor


def masked(x: Tensor, mask: Optional[Tensor]) -> Tensor:
    if mask is not None:
        x = x + mask
    return torch.relu(x)


def power(x: Tensor, n: int) -> Tensor:
    result = x
    for i in range(n):
        unused = result + x
        result = result * x
    return result


def halvings(value: int) -> int:
    steps = 0
    while value > 1:
        if value % 2 == 0:
            value = value // 2
        else:
            value = value - 1
        steps = steps + 1
    return steps
