"""An ignored method is Python's: it sees the module's present attributes, and what it changes of tensors stays."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(1))

    @torch.jit.ignore
    def note(self, x: torch.Tensor) -> None:
        for value in {float(v) for v in x}:
            self.total.add_(value)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.note(x)
        return self.total.clone()


def build():
    return Net()


def inputs():
    return [(torch.tensor([1.0, 1.0, 2.0]),), (torch.zeros(0),), (torch.tensor([0.5]),)]
