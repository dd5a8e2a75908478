"""A conditional expression has one type on both sides: no annotation makes it an interface."""

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
    first: Shape = Wave()
    second: Shape = Square(n) if n > 0 else Wave()  # error
    return first.area(n) + second.area(n)
