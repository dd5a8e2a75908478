"""A subscript takes no starred expression."""

from typing import Tuple

import torch


def program(x: torch.Tensor, at: Tuple[int, int]) -> torch.Tensor:
    return x[*at]  # error
