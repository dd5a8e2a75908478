"""The task that is waited for first is the one whose error is raised."""

import torch


def check(n: int, limit: int) -> int:
    assert n < limit, "too large"
    return n


def program(n: int) -> int:
    first = torch.jit.fork(check, n, 10)
    second = torch.jit.fork(check, n, 5)
    a = torch.jit.wait(first)
    return a + torch.jit.wait(second)


def inputs():
    return [(1,), (7,), (12,)]
