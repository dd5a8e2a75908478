"""An expression may stand alone for its effect; its value is dropped."""

from typing import List, Tuple

import torch


def program(values: List[int], x: torch.Tensor) -> Tuple[List[int], torch.Tensor]:
    values.pop()
    x.add_(1)
    x + 1
    len(values)
    "no effect"
    return values, x


def inputs():
    return [([1, 2], torch.zeros(2)), ([], torch.zeros(1))]
