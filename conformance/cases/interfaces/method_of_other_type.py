"""A class whose method returns another type does not pass for the interface."""

import torch


@torch.jit.interface
class Shape:
    def area(self, n: int) -> int:
        pass


@torch.jit.script
class Wave:
    def __init__(self):
        self.width = 0.5

    def area(self, n: int) -> float:
        return self.width * n


def measure(shape: Shape, n: int) -> int:
    return shape.area(n)


def program(n: int) -> int:
    wave = Wave()
    return measure(wave, n)  # error
