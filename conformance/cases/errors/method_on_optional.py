"""An Optional tensor has no methods."""

from typing import Optional

import torch


def program(x: torch.Tensor, mask: Optional[torch.Tensor]) -> torch.Tensor:
    if mask is None:
        x = x + 1
    return x * mask.float()  # error
