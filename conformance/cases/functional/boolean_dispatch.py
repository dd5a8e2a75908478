"""max_pool2d and its like choose by `return_indices`: a constant flag selects the function compiled."""

from typing import Tuple

import torch
import torch.nn.functional as F


def program(x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    plain = F.max_pool2d(x, 2)
    values, indices = F.max_pool2d(x, kernel_size=2, return_indices=True)
    back = F.max_unpool2d(values, indices, 2)
    small = F.adaptive_max_pool2d(x, (1, 2), return_indices=False)
    return plain, indices, back, small


def inputs():
    return [(torch.arange(16.0).view(1, 1, 4, 4),), (torch.ones(1, 2, 2, 2),), (torch.ones(2),)]
