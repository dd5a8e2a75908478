"""fork starts a function and gives a Future; wait gives its result, as often as it is asked."""

import torch


def square(x: torch.Tensor, n: int) -> torch.Tensor:
    return x * x + n


def program(x: torch.Tensor) -> torch.Tensor:
    first = torch.jit.fork(square, x, 1)
    second = torch.jit.fork(square, x + 1, n=2)
    return torch.jit.wait(first) + torch.jit.wait(second) * torch.jit.wait(first)


def inputs():
    return [(torch.tensor([1.0, -2.0]),), (torch.zeros(0),)]
