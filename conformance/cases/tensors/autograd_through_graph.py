"""Results carry gradients through loops and branches; detach cuts them."""

from typing import List, Optional

import torch


def program(x: torch.Tensor, n: int) -> List[Optional[torch.Tensor]]:
    y = x
    for i in range(n):
        if i % 2 == 0:
            y = y * x
        else:
            y = y + x.detach()
    grads = torch.autograd.grad([y.sum()], [x], allow_unused=True)
    return grads


def inputs():
    return [
        (torch.tensor([1.0, 2.0], requires_grad=True), 1),
        (torch.tensor([0.5], requires_grad=True), 3),
        (torch.tensor([0.5]), 1),
    ]
