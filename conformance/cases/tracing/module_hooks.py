"""Hooks run while recording, outside of the method of the module that has them."""

import torch
from torch import nn


def after(module, args, result):
    return result * 2


def before(module, args):
    return (args[0] + 1,)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.linear.register_forward_hook(after)
        self.linear.register_forward_pre_hook(before)

    def forward(self, x):
        return self.linear(x)


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(1, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(1, 2),)]
