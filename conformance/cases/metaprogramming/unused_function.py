"""An unused function is not compiled; reaching it raises."""

import torch


@torch.jit.unused
def eager(n: int) -> int:
    return max(m for m in {n, 3})


def program(n: int) -> int:
    if n > 2:
        return eager(n)
    return n


def inputs():
    return [(1,), (3,)]
