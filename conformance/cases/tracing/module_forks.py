"""Forks of submodules, of functions that use parameters, and within submodules."""

import torch
from torch import nn


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.second = nn.Linear(3, 3)
        self.scale = nn.Parameter(torch.ones(3) * 2)

    def forward(self, x):
        first = torch.jit.fork(self.first, x)
        second = torch.jit.fork(lambda y: self.second(y) * self.scale, x)
        return torch.jit.wait(first) + torch.jit.wait(second)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = Heads()
        self.act = nn.Sequential(nn.Linear(3, 2), nn.ReLU())

    def forward(self, x):
        y = torch.jit.wait(torch.jit.fork(self.heads, x))
        again = torch.jit.fork(self.heads, y)
        return self.act(torch.jit.wait(again)) + self.act(y)


def build():
    torch.manual_seed(0)
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-2.0, 1.0, 12).view(4, 3),)]
