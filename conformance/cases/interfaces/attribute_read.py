"""An interface gives no attributes: what a class holds is not reached through it."""

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
    square = Square(n)
    shape: Shape = square
    a = square.side + shape.area(1)
    return a + shape.side  # error
