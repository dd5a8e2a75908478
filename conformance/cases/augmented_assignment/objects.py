"""An object of a script class is updated by its __iadd__, or else by its __add__."""

from typing import Tuple

import torch


@torch.jit.script
class Sum:
    def __init__(self, n: int):
        self.n = n

    def __iadd__(self, m: int) -> "Sum":
        self.n += m
        return self

    def __mul__(self, m: int) -> "Sum":
        return Sum(self.n * m)


def program(n: int, m: int) -> Tuple[int, int]:
    a = Sum(n)
    same = a
    a += m
    a *= 10
    return a.n, same.n


def inputs():
    return [(1, 2), (-5, 0)]
