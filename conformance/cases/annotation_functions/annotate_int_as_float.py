"""annotate makes no float of an int."""

import torch


def program(n: int) -> float:
    x = torch.jit.annotate(float, 1.5)
    return x + torch.jit.annotate(float, n)  # error
