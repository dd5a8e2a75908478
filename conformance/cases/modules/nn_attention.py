"""nn.MultiheadAttention: keyword-only choices, Optional masks and results that may be None."""

from typing import Optional, Tuple

import torch
from torch import nn


class Attend(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)

    def forward(
        self, x: torch.Tensor, mask: Optional[torch.Tensor] = None, weights: bool = True
    ) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
        return self.attention(x, x, x, attn_mask=mask, need_weights=weights)


def build():
    return Attend()


def inputs():
    x = torch.arange(12.0).view(1, 3, 4) / 10
    mask = torch.ones(3, 3, dtype=torch.bool).triu(1)
    return [(x,), (x, mask), (x, mask, False), (x.repeat(2, 1, 1), torch.zeros(3, 3))]
