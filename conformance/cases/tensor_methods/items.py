"""item() gives the only element of a tensor, of any shape; a tensor with more or none raises."""

from typing import Tuple

import torch


def program(x: torch.Tensor) -> Tuple[float, int]:
    return float(x.item()), int(x.item())


def inputs():
    return [(torch.tensor([[2.5]]),), (torch.tensor(-3),), (torch.ones(2),), (torch.zeros(0),)]
