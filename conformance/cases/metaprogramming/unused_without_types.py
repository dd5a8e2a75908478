"""An unused function's types are still what its signature says: without annotations, tensors."""

import torch


@torch.jit.unused
def eager(n):
    return n


def program(n: int) -> int:
    return eager(n)  # error
