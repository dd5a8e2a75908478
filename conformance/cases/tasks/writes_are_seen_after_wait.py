"""What a task writes to a tensor is seen behind wait."""

from typing import Tuple

import torch


def add_one(x: torch.Tensor) -> int:
    x.add_(1)
    return x.numel()


def program(x: torch.Tensor) -> Tuple[torch.Tensor, int]:
    y = x.clone()
    count = torch.jit.wait(torch.jit.fork(add_one, y))
    return y, count


def inputs():
    return [(torch.zeros(3),)]
