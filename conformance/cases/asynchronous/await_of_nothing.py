"""What is awaited is a function."""

import torch


def program(n: int) -> int:
    later = torch.jit._awaitable()  # error
    return n
