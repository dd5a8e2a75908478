"""An object is passed as itself: what a callee does to it, the caller sees."""

import torch


@torch.jit.script
class Count:
    def __init__(self):
        self.n = 0

    def add(self, by: int):
        self.n += by
        return self


def twice(count: Count) -> None:
    count.add(2).add(3)


def program(n: int) -> int:
    count = Count()
    alias = count
    twice(count)
    alias.n *= n
    return count.n


def inputs():
    return [(1,), (-2,)]
