"""isinstance on a value of a known type is decided by the compiler: the other branch may not even fit."""

from typing import List, Optional

import torch


def program(x: torch.Tensor, n: int, values: List[int], maybe: Optional[int]) -> int:
    total = 0
    if isinstance(x, torch.Tensor):
        total += x.numel()
    else:
        total += x.no_such_thing
    if isinstance(n, float):
        total += n.upper()
    if isinstance(values, list) and not isinstance(n, str):
        total += values[0]
    if isinstance(maybe, int):
        total += maybe
    return total


def inputs():
    return [(torch.zeros(3), 1, [5], None), (torch.zeros(2, 2), 0, [1, 2], 7), (torch.zeros(1), 1, [], 1)]
