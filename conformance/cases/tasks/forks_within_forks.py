"""Forks within forks: in a loop of the forked function, and in one that returns early."""

import torch


def innermost(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


def scaled(x: torch.Tensor, n: int) -> torch.Tensor:
    if n > 2:
        return x
    return torch.jit.wait(torch.jit.fork(innermost, x * n))


def product(x: torch.Tensor) -> torch.Tensor:
    y = x
    for n in range(1, 4):
        y = y * torch.jit.wait(torch.jit.fork(scaled, x, n))
    return y


def program(x: torch.Tensor) -> torch.Tensor:
    task = torch.jit.fork(product, x)
    return torch.jit.wait(task) + torch.jit.wait(torch.jit.fork(scaled, x, 1))


def inputs():
    return [(torch.ones(2),), (torch.linspace(-1.0, 1.0, 5),)]
