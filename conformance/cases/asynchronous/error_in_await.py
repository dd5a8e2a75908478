"""What an awaited function raises is raised where it is waited for."""

import torch


def check(n: int) -> int:
    if n < 0:
        raise ValueError("negative")
    return n * 2


def program(n: int) -> int:
    later = torch.jit._awaitable(check, n)
    if n < -1:
        return 0
    return torch.jit._awaitable_wait(later) + 1


def inputs():
    return [(1,), (-1,), (-2,)]
