"""What nobody waits for may fail: nobody hears of it."""

import torch


def check(n: int) -> int:
    if n < 0:
        raise ValueError("negative")
    return n


def program(n: int) -> int:
    torch.jit.fork(check, n)
    return n * 2


def inputs():
    return [(1,), (-1,)]
