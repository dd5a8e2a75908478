"""annotate does not convert."""

import torch


def program(n: int) -> str:
    return torch.jit.annotate(str, n)  # error
