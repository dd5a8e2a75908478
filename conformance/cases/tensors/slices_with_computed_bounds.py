"""Slice bounds may be None, negative, computed and out of range; steps must be positive."""

from typing import List, Optional

import torch


def program(x: torch.Tensor, start: Optional[int], n: int) -> List[torch.Tensor]:
    last = x.size(0) - 1
    found = [x[start:n], x[n:], x[: -n if n > 1 else last], x[n - 1 : last : 2], x[-100:100]]
    for i in range(0, x.size(0), n):
        found.append(x[i : i + n].flip(0))
    return found


def inputs():
    return [(torch.arange(5), None, 2), (torch.arange(5), 1, 3), (torch.arange(3.0), -2, 1), (torch.zeros(0), 0, 4)]
