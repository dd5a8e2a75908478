"""A property of a class is a method that reading calls, and its setter one that assigning calls."""

import torch


@torch.jit.script
class Level:
    def __init__(self, n: int):
        self.n = n

    @property
    def half(self) -> int:
        return self.n // 2

    @half.setter
    def half(self, value: int):
        self.n = value * 2


def program(n: int) -> int:
    level = Level(n)
    level.half = level.half + 3
    return level.n


def inputs():
    return [(5,), (-1,)]
