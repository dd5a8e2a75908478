"""A method that is awaited sees the state of the module when the call is made."""

from typing import List, Tuple

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen: List[int] = [0]

    def add(self, n: int) -> int:
        self.seen.append(n)
        return len(self.seen)

    def forward(self, n: int) -> Tuple[int, int, int, List[int]]:
        later = torch.jit._awaitable(self.add, n)
        forked = torch.jit.fork(self.add, n=n * 2)
        a = torch.jit.wait(forked)
        self.seen.append(-1)
        b = torch.jit._awaitable_wait(later)
        return a, b, torch.jit._awaitable_wait(later), self.seen


def build():
    return Net()


def inputs():
    return [(3,), (4,)]
