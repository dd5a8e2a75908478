"""A future is passed on, and waited for in another function."""

import torch


def square(n: int) -> int:
    return n * n


def ask(task: torch.jit.Future[int]) -> int:
    return torch.jit.wait(task) + 1


def program(n: int) -> int:
    return ask(torch.jit.fork(square, n))


def inputs():
    return [(3,)]
