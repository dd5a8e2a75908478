"""hasattr takes no object of which only the interface of its class is known."""

import torch


@torch.jit.interface
class Shape:
    def area(self, n: int) -> int:
        pass


class Square:
    def __init__(self, side: int):
        self.side = side

    def area(self, n: int) -> int:
        return self.side * self.side * n


def program(n: int) -> bool:
    square = Square(n)
    known = hasattr(square, "area")
    shape: Shape = square
    return known and hasattr(shape, "area")  # error
