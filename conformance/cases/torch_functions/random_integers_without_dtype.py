"""`dtype=None` in `torch.randint` is the default dtype, not that of integers."""

import torch


def program(n: int) -> torch.Tensor:
    return torch.randint(n, [2, 3], dtype=None)


def inputs():
    return [(5,), (1,)]
