"""An attribute keeps its type."""

import torch


@torch.jit.script
class Count:
    def __init__(self):
        self.n = 0


def program(s: str) -> int:
    count = Count()
    count.n = 3
    count.n = s  # error
    return count.n
