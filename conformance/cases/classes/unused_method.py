"""A method that is marked unused is not compiled; a call of it raises."""

import torch


class Logged:
    def __init__(self, n: int):
        self.n = n

    @torch.jit.unused
    def report(self) -> int:
        return len({self.n, *range(3)})

    def next(self) -> int:
        if self.n > 9:
            return self.report()
        self.n += 1
        return self.n


def program(n: int) -> int:
    logged = Logged(n)
    return logged.next() * 100 + logged.next()


def inputs():
    return [(3,), (9,)]
