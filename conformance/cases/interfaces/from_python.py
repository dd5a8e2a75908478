"""A call from Python passes an object of any compiled class that has the methods."""

from typing import Tuple

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

    def grow(self, by: int) -> int:
        self.side += by
        return self.side


@torch.jit.script
class Line:
    def __init__(self):
        self.width = 1

    def area(self, n: int) -> int:
        return self.width * n


def program(shape: Shape, n: int) -> Tuple[int, int]:
    return shape.area(n), shape.area(1)


def inputs():
    return [(Square(3), 2), (Line(), 5)]
