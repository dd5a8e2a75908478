"""A cell called in a loop over time, with its state carried and its outputs collected."""

from typing import List, Optional, Tuple

import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.mix = nn.Linear(2 * width, width)

    def forward(self, x: torch.Tensor, h: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        y = torch.tanh(self.mix(torch.cat([x, h], dim=-1)))
        return y, h * 0.5 + y


class Unroll(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = nn.ModuleList([Cell(2), Cell(2)])

    def forward(
        self, xs: torch.Tensor, state: Optional[List[torch.Tensor]] = None
    ) -> Tuple[torch.Tensor, List[torch.Tensor]]:
        if state is None:
            state = [torch.zeros_like(xs[0]) for _ in range(len(self.cells))]
        outputs: List[torch.Tensor] = []
        for x in xs.unbind(0):
            new: List[torch.Tensor] = []
            for i, cell in enumerate(self.cells):
                x, h = cell(x, state[i])
                new.append(h)
            state = new
            outputs.append(x)
        return torch.stack(outputs), state


def build():
    return Unroll()


def inputs():
    return [
        (torch.ones(3, 2),),
        (torch.arange(4.0).view(2, 2), [torch.ones(2), torch.zeros(2)]),
        (torch.ones(1, 2), []),
    ]
