"""What an ignored function returns must be of the type it promised."""

import torch


@torch.jit.ignore
def measured(n: int) -> int:
    return "many" if n > 1 else n


def program(n: int) -> int:
    return measured(n) + 1


def inputs():
    return [(1,), (2,)]
