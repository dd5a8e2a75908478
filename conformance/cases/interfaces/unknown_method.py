"""Through an interface only its methods are called."""

import torch


@torch.jit.interface
class Shape:
    def area(self, n: int) -> int:
        pass


def program(shape: Shape, n: int) -> int:
    a = shape.area(n)
    return a + shape.width()  # error
