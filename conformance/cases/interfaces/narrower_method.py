"""A method that takes less than the interface promises does not pass for it."""

from typing import Optional

import torch


@torch.jit.interface
class Sink:
    def write(self, n: Optional[int]) -> int:
        pass


@torch.jit.script
class Numbers:
    def __init__(self):
        self.total = 0

    def write(self, n: int) -> int:
        self.total += n
        return self.total


def program(n: int) -> int:
    numbers = Numbers()
    numbers.write(n)
    sink: Sink = numbers  # error
    return sink.write(None)
