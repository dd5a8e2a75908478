"""A function that returns an interface returns objects of any class that has the methods."""

from typing import Optional

import torch


@torch.jit.interface
class Shape:
    def area(self, n: int) -> int:
        pass


@torch.jit.script
class Square:
    def __init__(self, side: int):
        self.side = side

    def area(self, n: int) -> int:
        return self.side * self.side * n


@torch.jit.script
class Wave:
    def __init__(self):
        self.asked = 0

    def area(self, n: int) -> int:
        self.asked += 1
        return self.asked * n


def made(n: int) -> Shape:
    if n > 0:
        return Square(n)
    return Wave()


def program(n: int) -> int:
    first = made(n)
    total = first.area(1) + first.area(1)
    last: Optional[Shape] = None
    if total > 10:
        last = made(n - 3)
    if last is not None:
        total += last.area(100)
    return total


def inputs():
    return [(0,), (2,), (3,), (5,)]
