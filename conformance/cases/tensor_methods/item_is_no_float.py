"""An item's type is not known to the compiler: convert it before it goes into a list of floats."""

from typing import List

import torch


def program(x: torch.Tensor) -> List[float]:
    values: List[float] = [x.item()]  # error
    return values
