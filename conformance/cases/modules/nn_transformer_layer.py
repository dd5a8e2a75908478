"""nn.TransformerEncoderLayer, whose forward is compiled with its fast path."""

from typing import Optional

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True, norm_first=True)

    def forward(self, x: torch.Tensor, padding: Optional[torch.Tensor] = None) -> torch.Tensor:
        return self.layer(x, src_key_padding_mask=padding)


def build():
    return Encoder()


def inputs():
    x = torch.arange(16.0).view(2, 2, 4) / 8
    return [(x,), (x, torch.tensor([[False, True], [False, False]]))]
