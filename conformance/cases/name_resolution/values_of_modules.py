"""Numbers, dtypes and devices are read from Python modules as constants."""

import math
from typing import Tuple

import torch


def program(x: torch.Tensor) -> Tuple[torch.Tensor, float, bool]:
    y = x.to(torch.float64) * math.pi
    z = torch.zeros(1, dtype=torch.int8)
    return y, math.inf - math.e, z.dtype == torch.int8


def inputs():
    return [(torch.tensor([1, -2]),), (torch.zeros(0),)]
