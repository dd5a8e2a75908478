"""A tensor may be a default: the call holds it as a constant, whose type tells all of it."""

from typing import Tuple

import torch
from torch import Tensor

WEIGHT = torch.tensor([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]])


def scaled(
    x: Tensor,
    weight: Tensor = WEIGHT,
    offsets: Tuple[Tensor, int] = (torch.arange(3), 2),
    gain: Tensor = torch.tensor(3.0),
    many: Tensor = torch.ones(20),
) -> Tensor:
    return gain * weight * x + offsets[0] * offsets[1] + many.sum()


def program(x: Tensor) -> Tensor:
    return scaled(x) - scaled(x, x)


def inputs():
    return [(torch.ones(2, 3),), (torch.arange(6.0).reshape(2, 3),)]
