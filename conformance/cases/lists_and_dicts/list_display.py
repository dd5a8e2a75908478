"""A list display makes a list of its items' one type; an empty one, without a type, of tensors."""

from typing import List, Tuple

import torch


def program(n: int, x: torch.Tensor) -> Tuple[List[int], List[List[float]], List[torch.Tensor]]:
    tensors = []
    tensors.append(x)
    return [n, n + 1, -n], [[0.5], [n / 2]], tensors + [x + 1]


def inputs():
    return [(1, torch.tensor(1.0)), (0, torch.ones(0))]
