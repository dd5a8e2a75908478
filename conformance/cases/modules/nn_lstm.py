"""nn.LSTM and nn.GRU: overloads of forward, Optional state, packed weights in a list."""

from typing import Optional, Tuple

import torch
from torch import nn


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(2, 3, num_layers=2, batch_first=True)
        self.cell = nn.GRUCell(3, 3)

    def forward(
        self, x: torch.Tensor, state: Optional[Tuple[torch.Tensor, torch.Tensor]] = None
    ) -> Tuple[torch.Tensor, Tuple[torch.Tensor, torch.Tensor]]:
        y, state = self.lstm(x, state)
        h = self.cell(y[:, -1])
        return self.cell(y[:, 0], h), state


def build():
    return Recurrent()


def inputs():
    x = torch.arange(8.0).view(2, 2, 2) / 8
    zeros = torch.zeros(2, 2, 3)
    return [(x,), (x, (zeros, zeros + 0.5)), (x, (zeros[:1], zeros))]
