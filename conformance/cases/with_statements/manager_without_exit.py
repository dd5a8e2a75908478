"""A manager has both methods; this one lacks __exit__."""

import torch


@torch.jit.script
class Half:
    def __init__(self, n: int):
        self.n = n

    def __enter__(self) -> int:
        return self.n


def program(n: int) -> int:
    with Half(n) as m:  # error
        n += m
    return n
