"""A class without the operator's method has no such update."""

import torch


@torch.jit.script
class Sum:
    def __init__(self, n: int):
        self.n = n

    def __add__(self, m: int) -> "Sum":
        return Sum(self.n + m)


def program(n: int, m: int) -> int:
    a = Sum(n)
    a += m
    a -= m  # error
    return a.n
