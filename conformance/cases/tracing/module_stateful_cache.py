"""Buffers that are assigned, written to by a tensor's index, and copied into."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("average", torch.zeros(2))
        self.register_buffer("cache", torch.zeros(4, 2))
        self.linear = nn.Linear(2, 2)

    @property
    def doubled(self):
        return self.linear.weight * 2

    def forward(self, x, i):
        self.average = self.average * 0.5 + x
        self.cache[i] = x
        self.cache.index_copy_(0, i[None], self.average[None])
        self.cache[1:3] += 1
        return nn.functional.linear(self.cache.sum(0) + self.average, self.doubled)


def build():
    return Net()


def example():
    return torch.tensor([1.0, 2.0]), torch.tensor(1)


def inputs():
    return [(torch.tensor([1.0, 2.0]), torch.tensor(1)), (torch.tensor([0.5, -2.0]), torch.tensor(3))]
