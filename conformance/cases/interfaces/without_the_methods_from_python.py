"""A call from Python with an object that has not the methods of the interface raises."""

import torch


@torch.jit.interface
class Shape:
    def area(self, n: int) -> int:
        pass


@torch.jit.script
class Point:
    def __init__(self):
        self.x = 0

    def move(self, by: int) -> int:
        self.x += by
        return self.x


def program(shape: Shape) -> int:
    return shape.area(2)


def inputs():
    return [(Point(),)]
