"""A refinement that is missing."""
from typing import Optional

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        return torch.add(x, mask)  # E: TS402
