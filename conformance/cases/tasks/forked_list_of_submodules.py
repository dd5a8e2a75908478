"""A loop over a ModuleList forks each of its modules."""

from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        tasks: List[torch.jit.Future[torch.Tensor]] = []
        for expert in self.experts:
            tasks.append(torch.jit.fork(expert, x))
        return torch.stack([torch.jit.wait(task) for task in tasks]).sum(0)


def build():
    return Net()


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
