"""Binding a parameter anew leaves the caller's value as it is."""

from typing import List, Tuple

import torch


def scaled(x: torch.Tensor, values: List[int]) -> torch.Tensor:
    x = x * 2
    values = values + [1]
    x.add_(len(values))
    return x


def program(x: torch.Tensor, values: List[int]) -> Tuple[torch.Tensor, torch.Tensor, List[int]]:
    return scaled(x, values), x, values


def inputs():
    return [(torch.tensor([1.0, -1.0]), [5]), (torch.tensor(3), [])]
