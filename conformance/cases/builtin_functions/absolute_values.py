"""abs gives a number's or a tensor's magnitude, in its own type."""

from typing import Tuple

import torch


def program(n: int, f: float, x: torch.Tensor) -> Tuple[int, float, torch.Tensor]:
    return abs(n), abs(f), abs(x)


def inputs():
    return [(-3, -0.0, torch.tensor([-1, 2])), (3, float("-inf"), torch.tensor(-0.5)), (0, -2.5, torch.zeros(0))]
