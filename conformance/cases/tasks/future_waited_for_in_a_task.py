"""A task waits for a task that another one has started."""

import torch


def square(n: int) -> int:
    return n * n


def after(task: torch.jit.Future[int], n: int) -> int:
    return torch.jit.wait(task) * n


def program(n: int) -> int:
    first = torch.jit.fork(square, n)
    second = torch.jit.fork(after, first, 10)
    return torch.jit.wait(second) + torch.jit.wait(first)


def inputs():
    return [(3,)]
