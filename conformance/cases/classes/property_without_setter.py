"""A property without a setter is not assigned."""

import torch


@torch.jit.script
class Level:
    def __init__(self, n: int):
        self.n = n

    @property
    def half(self) -> int:
        return self.n // 2


def program(n: int) -> int:
    level = Level(n)
    level.half = 3  # error
    return level.n
