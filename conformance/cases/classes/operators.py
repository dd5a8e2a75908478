"""Magic methods make operators, comparisons, len, in and subscripts of a class."""

import torch


@torch.jit.script
class Money:
    def __init__(self, cents: int):
        self.cents = cents

    def __add__(self, other: int) -> int:
        return self.cents + other

    def __lt__(self, other: int) -> bool:
        return self.cents < other

    def __len__(self) -> int:
        return self.cents // 100

    def __getitem__(self, i: int) -> int:
        return self.cents * i

    def __contains__(self, n: int) -> bool:
        return n == self.cents


def program(n: int) -> int:
    m = Money(n)
    total = (m + 5) * 2 + len(m) + m[2]
    return total if m < 1000 else int(n in m)


def inputs():
    return [(150,), (0,), (1000,)]
