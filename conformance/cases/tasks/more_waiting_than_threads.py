"""A hundred tasks that wait for tasks of their own all end."""

import torch


def leaf(n: int) -> int:
    return n + 1


def middle(n: int) -> int:
    return torch.jit.wait(torch.jit.fork(leaf, n)) * 2


def outer(n: int) -> int:
    first = torch.jit.fork(middle, n)
    second = torch.jit.fork(middle, n + 1)
    return torch.jit.wait(first) + torch.jit.wait(second)


def program(n: int) -> int:
    tasks = [torch.jit.fork(outer, i) for i in range(n)]
    total = 0
    for task in tasks:
        total += torch.jit.wait(task)
    return total


def inputs():
    return [(100,)]
