"""isinstance of a value whose type is known selects a branch, also for list, tuple and torch.Tensor."""

from typing import List, Tuple

import torch


def program(x: torch.Tensor, values: List[int], pair: Tuple[int, str]) -> int:
    if isinstance(values, list) and isinstance(pair, tuple):
        count = len(values) + pair[0]
    else:
        count = x + "no such sum"
    if isinstance(x, torch.Tensor):
        return count + x.numel()
    return x.no_such_method()


def inputs():
    return [(torch.ones(3), [1], (7, "")), (torch.zeros(0), [], (-1, "a"))]
