"""torch.jit._unwrap_optional asserts at run time, and passes a value through."""

from typing import Optional

import torch


def program(a: Optional[int], x: Optional[torch.Tensor]) -> int:
    n = torch.jit._unwrap_optional(a)
    if x is not None:
        n += torch.jit._unwrap_optional(x).numel()
    return n + torch.jit._unwrap_optional(a)


def inputs():
    return [(1, None), (2, torch.zeros(3)), (None, None)]
