"""A list of objects of a class is no list of the interface, since another class could be appended."""

from typing import List

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


def program(n: int) -> int:
    squares = [Square(n)]
    shapes: List[Shape] = [squares[0], Wave()]
    more: List[Shape] = squares  # error
    return len(shapes + more)
