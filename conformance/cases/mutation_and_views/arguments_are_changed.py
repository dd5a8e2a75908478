"""What a function changes of its arguments in place, its caller sees, at every level."""

from typing import List, Tuple

import torch


def fill(x: torch.Tensor, values: List[int]) -> None:
    x.fill_(len(values))
    values.append(0)


def program(x: torch.Tensor, values: List[int]) -> Tuple[torch.Tensor, List[int]]:
    before = x + 0
    fill(x[1:], values)
    fill(x[:1], values)
    return before, values


def inputs():
    return [(torch.tensor([7.0, 8.0, 9.0]), [1]), (torch.zeros(0), [])]
