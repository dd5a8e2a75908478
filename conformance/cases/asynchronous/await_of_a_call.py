"""`_awaitable` makes the call when it is first waited for, and once."""

from typing import Tuple

import torch


def scaled(x: torch.Tensor, n: int) -> torch.Tensor:
    print("scaled by", n)
    return x * n


def program(x: torch.Tensor, n: int) -> Tuple[torch.Tensor, torch.Tensor]:
    never = torch.jit._awaitable(scaled, x, -1)
    later = torch.jit._awaitable(scaled, x, n=n)
    print("nothing yet")
    if n > 2:
        x = x + torch.jit._awaitable_wait(later)
    return torch.jit._awaitable_wait(later), x


def inputs():
    return [(torch.ones(2), 2), (torch.ones(2), 3)]
