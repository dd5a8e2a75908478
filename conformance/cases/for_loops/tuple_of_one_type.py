"""A tuple is walked by unrolling the loop, also if all its members have one type."""

from typing import Tuple

import torch


def program(sizes: Tuple[int, int, int], x: torch.Tensor) -> torch.Tensor:
    for i, size in enumerate(sizes):
        x = x * size + i
    for a, b in zip(sizes, (0.5, "s", [1])):
        x = x - a
    return x


def inputs():
    return [((1, 2, 3), torch.ones(1)), ((0, -1, 5), torch.zeros(0))]
