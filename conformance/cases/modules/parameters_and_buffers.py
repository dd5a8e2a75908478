"""Parameters, buffers (None among them) and plain attributes are attributes of the compiled module."""

import torch
from torch import nn

from conformance.case import call


class Tracker(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.weight = nn.Parameter(torch.arange(float(size)))
        self.register_buffer("seen", torch.zeros(size))
        self.register_buffer("absent", None)
        self.steps = 0
        self.rate = 0.5
        self.label = "tracker"

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.seen += x.detach() * self.rate
        self.steps += 1
        if self.absent is not None:
            x = x * self.absent
        return x * self.weight + self.steps

    @torch.jit.export
    def report(self, more: str = "") -> str:
        return self.label + more + str(self.steps) + str(self.seen.sum().item())

    @torch.jit.export
    def reset(self):
        self.seen = torch.zeros_like(self.seen)
        self.steps = 0
        self.label += "!"


def build():
    return Tracker(3)


def inputs():
    x = torch.ones(3)
    return [
        (x,),
        (x * 2,),
        call(method="report"),
        call(method="reset"),
        call(":", method="report"),
        (x,),
        call(more="?", method="report"),
    ]
