"""Each int selects along a dimension, counted from the end if negative; beyond it, it raises."""

from typing import Tuple

import torch


def program(x: torch.Tensor, i: int) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return x[i], x[i, 0], x[i][-1]


def inputs():
    x = torch.arange(6).view(2, 3)
    return [(x, 0), (x, -1), (x, 2), (x, -3), (x.view(6), 0)]
