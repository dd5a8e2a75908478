"""Augmented assignment to a subscript evaluates the container and the index once."""

from typing import Dict, List, Tuple

import torch


def which(log: List[int], i: int) -> int:
    log.append(i)
    return i


def program(values: List[int], table: Dict[str, float], x: torch.Tensor) -> Tuple[List[int], List[int], torch.Tensor]:
    log: List[int] = []
    values[which(log, 0)] += 5
    values[which(log, -1)] *= values[0]
    table["k"] /= 4
    table["k"] -= 1
    x[which(log, 1)] += 10
    x[0, 1] *= 3
    x[:, 0] -= x[0, 1]
    return values, log, x


def inputs():
    return [
        ([1, 2], {"k": 2.0}, torch.arange(4).view(2, 2)),
        ([3], {"k": -1.0, "j": 0.0}, torch.ones(3, 2)),
        ([1], {}, torch.zeros(2, 2)),
    ]
