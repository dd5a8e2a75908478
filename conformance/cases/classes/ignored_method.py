"""ignore leaves no method of a class to Python: it is compiled like the others."""

import torch


class Logged:
    def __init__(self, n: int):
        self.n = n

    @torch.jit.ignore
    def report(self) -> int:
        return len({self.n})  # error


def program(n: int) -> int:
    return Logged(n).n
