"""An object that is known by its interface is not passed on as one of its class."""

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
    shape: Shape = Square(n)
    again: Shape = shape
    square: Square = again  # error
    return square.side
