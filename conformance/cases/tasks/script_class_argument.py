"""An object of a class is passed to a task, and changed there."""

import torch


@torch.jit.script
class Counter:
    def __init__(self, n: int):
        self.n = n

    def add(self, k: int) -> int:
        self.n += k
        return self.n


def grow(counter: Counter, k: int) -> int:
    return counter.add(k)


def program(n: int) -> int:
    counter = Counter(n)
    seen = torch.jit.wait(torch.jit.fork(grow, counter, 5))
    return seen * 100 + counter.n


def inputs():
    return [(3,)]
