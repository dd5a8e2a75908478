"""Without annotation a parameter is a Tensor, and a dtype is no default of it."""

import torch
from torch import Tensor


def program(x: Tensor, dtype=torch.float64) -> Tensor:  # error
    return x.to(dtype)
