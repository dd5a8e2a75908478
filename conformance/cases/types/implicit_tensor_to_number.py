"""A tensor passes for an int, a float or a bool parameter; a number does not pass for a tensor."""

from typing import List

import torch


def int_of(n: int) -> int:
    return n * 2


def float_of(x: float) -> float:
    return x / 2


def program(x: torch.Tensor, i: torch.Tensor) -> List[float]:
    y = x.sum(0)
    n = int_of(i)
    f = float_of(x[0])
    if x[0]:
        f += 100
    while i > 5:
        i = i - 1
    return [float(n), f, float(y), float(i)]


def inputs():
    return [
        (torch.tensor([1.5, 2.0]), torch.tensor(0)),
        (torch.tensor([0.0, 2.0]), torch.tensor(0)),
        (torch.tensor([1.0, 2.0]), torch.tensor(7)),
        (torch.tensor([1.0, 2.0]), torch.tensor(0.5)),
    ]
