"""A module whose method has another signature does not fit the interface."""

import torch
from torch import nn


@torch.jit.interface
class Step(nn.Module):
    def forward(self, n: int) -> int:
        pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([nn.ReLU(), nn.Tanh()])

    def forward(self, n: int) -> int:
        step: Step = self.steps[n]  # error
        return step.forward(n)


def build():
    return Net()
