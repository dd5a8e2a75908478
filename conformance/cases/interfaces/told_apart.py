"""isinstance with an interface tells objects of the classes that have its methods from other values."""

from typing import Any, List

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


def area(x: Any) -> int:
    if isinstance(x, Shape):
        return x.area(2)
    return -1


def program(n: int) -> List[int]:
    return [area(Square(n)), area(n), area(Wave()), area([n])]


def inputs():
    return [(3,), (-1,)]
