"""An operator whose magic method the class lacks is refused."""

import torch


@torch.jit.script
class Money:
    def __init__(self, cents: int):
        self.cents = cents

    def __add__(self, other: int) -> int:
        return self.cents + other


def program(n: int) -> int:
    m = Money(n)
    return (m + n) + (m - n)  # error
