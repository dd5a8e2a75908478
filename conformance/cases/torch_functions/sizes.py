"""Sizes are ints one by one, a list or a tuple of them."""

from typing import List

import torch


def program(a: int, b: int) -> List[List[int]]:
    return [
        torch.zeros(a, b).size(),
        torch.zeros([a, b]).size(),
        torch.zeros((a, b)).size(),
        torch.zeros(a).size(),
        torch.zeros([]).size(),
        torch.rand(a, b, 1).size(),
    ]


def inputs():
    return [(2, 3), (0, 1), (1, -1)]
