"""fork starts a call and gives a Future of its result's type; wait gives the result."""

from typing import List

import torch


def square(x: torch.Tensor) -> torch.Tensor:
    return x * x


def program(x: torch.Tensor, n: int) -> torch.Tensor:
    futures: List[torch.jit.Future[torch.Tensor]] = []
    for i in range(n):
        futures.append(torch.jit.fork(square, x + i))
    total = x
    for future in futures:
        total = total + torch.jit.wait(future)
    return total


def inputs():
    return [(torch.tensor([1, 2]), 2), (torch.tensor(3.0), 0)]
