"""An interface declares no defaults: all arguments are passed, also those with a default in the class."""

import torch


@torch.jit.interface
class Counter:
    def add(self, n: int = 1) -> int:
        pass


@torch.jit.script
class Steps:
    def __init__(self):
        self.n = 0

    def add(self, n: int = 1) -> int:
        self.n += n
        return self.n


def program(n: int) -> int:
    steps = Steps()
    counter: Counter = steps
    steps.add()
    counter.add(n)
    return counter.add()  # error
