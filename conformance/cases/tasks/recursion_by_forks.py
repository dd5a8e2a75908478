"""Functions fork others three levels deep, each two of the next."""

import torch


def third(n: int) -> int:
    return n + 1


def second(n: int) -> int:
    a = torch.jit.fork(third, n)
    b = torch.jit.fork(third, n * 2)
    return torch.jit.wait(a) + torch.jit.wait(b)


def first(n: int) -> int:
    a = torch.jit.fork(second, n)
    b = torch.jit.fork(second, n * 3)
    return torch.jit.wait(a) * torch.jit.wait(b)


def program(n: int) -> int:
    return torch.jit.wait(torch.jit.fork(first, n))


def inputs():
    return [(2,), (-1,)]
