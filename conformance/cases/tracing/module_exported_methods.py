"""Exported methods call submodules, which are compiled for them beside what the trace records."""

import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0, 2.0]))
        self.power = 2

    @property
    def exponent(self) -> int:
        return self.power + 1

    def forward(self, x):
        return x * self.weight

    @torch.jit.export
    def raised(self, x):
        return self.helped(x) ** self.exponent

    def helped(self, x):
        return self.forward_twice(x) + self.power

    def forward_twice(self, x):
        return x * self.weight * self.weight


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale()
        self.layers = nn.ModuleList([Scale(), nn.Sequential(nn.ReLU(), nn.Tanh())])
        self.named = nn.ModuleDict({"last": nn.Sigmoid()})
        self.missing = None

    def forward(self, x):
        return self.scale(x) + self.named["last"](x)

    @torch.jit.export
    def encode(self, x):
        for layer in self.layers:
            x = layer(x)
        if self.missing is None:
            x = self.named["last"](x)
        return self.scale.raised(x) + self.scale(x) + len(self.layers)


def build():
    return Net()


def example():
    return (torch.tensor([1.0, -1.0]),)


def inputs():
    from conformance.case import call

    x = torch.tensor([[0.5, -2.0]])
    return [(x,), call(x, method="encode")]
