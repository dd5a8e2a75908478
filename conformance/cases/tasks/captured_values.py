"""A task has the values that its arguments had when it was started."""

from typing import List

import torch


def total(xs: List[int], n: int) -> int:
    return sum(xs) + n


def program(n: int) -> int:
    xs = [1, 2, n]
    task = torch.jit.fork(total, xs, n)
    n = 100
    return torch.jit.wait(task) + n


def inputs():
    return [(3,)]
