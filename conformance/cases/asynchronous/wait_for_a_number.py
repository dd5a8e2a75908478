"""Only a Future can be waited for."""

import torch


def program(n: int) -> int:
    return torch.jit.wait(n)  # error
