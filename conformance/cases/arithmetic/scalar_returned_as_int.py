"""A Scalar returned as an int is converted then, and cut toward zero."""

from typing import Tuple

import torch


def whole(t: torch.Tensor) -> int:
    s = t.item()
    return s + 1


def program(t: torch.Tensor) -> Tuple[int, int]:
    return whole(t), whole(-t)


def inputs():
    return [(torch.tensor(2.75),), (torch.tensor(3),)]
