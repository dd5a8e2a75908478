"""A loop over a tuple of different types is unrolled while compiling; its variable changes type."""

from typing import List

import torch


def program(x: torch.Tensor, n: int) -> List[str]:
    found: List[str] = []
    for item in (n, 2.5, "s", x):
        found.append(str(item))
    for i, item in enumerate((x, n)):
        found.append(str(i) + str(item * 2))
    return found


def inputs():
    return [(torch.tensor([1]), 3), (torch.tensor(True), 0)]
