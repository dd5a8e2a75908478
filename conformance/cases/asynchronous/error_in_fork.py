"""What a forked function raises is raised by wait."""

import torch


def check(n: int) -> int:
    if n < 0:
        raise ValueError("negative")
    return n * 2


def program(n: int) -> int:
    task = torch.jit.fork(check, n)
    return torch.jit.wait(task) + 1


def inputs():
    return [(1,), (-1,)]
