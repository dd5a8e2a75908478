"""`with torch.no_grad()` switches gradients off within its block, and on again by any way out."""

from typing import Tuple

import torch


def program(x: torch.Tensor, n: int) -> Tuple[torch.Tensor, torch.Tensor, bool]:
    y = x * 2
    with torch.no_grad():
        z = x * 3
        if n > 0:
            z = z + n
    for i in range(n):
        with torch.no_grad():
            y = y + z * i
    return y, z, torch.is_grad_enabled()


def inputs():
    return [
        (torch.ones(2, requires_grad=True), 0),
        (torch.ones(2, requires_grad=True), 2),
        (torch.zeros(1), 1),
    ]
