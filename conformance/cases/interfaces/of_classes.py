"""An interface names methods; a class that has them all, with the same types, passes for it."""

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
class Line:
    def __init__(self):
        self.width = 1

    def area(self, n: int) -> int:
        return self.width * n


def measure(shape: Shape, n: int) -> int:
    return shape.area(n)


def program(n: int) -> int:
    return measure(Square(n), 2) * 100 + measure(Line(), n)


def inputs():
    return [(2,), (0,)]
