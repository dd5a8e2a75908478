"""A function that stays Python is called by the types of its type comment; what goes into `*args` may have any type."""

from typing import List

import torch


@torch.jit.ignore
def total(x, n):
    # type: (List[int], int) -> int
    return sum(x) + n


@torch.jit.ignore
def last(x, *args):
    return args[-1] if args else x


def program(x, n):
    # type: (Tensor, int)
    a = last(x)
    b = last(x, x + 1)
    return total([n, 2], n) * 2, a, b, last(x, x, x * 2)


def inputs():
    return [(torch.ones(2), 3), (torch.zeros(1), -1)]
