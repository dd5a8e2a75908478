"""What is forked sees and changes the same module; after wait the change is seen."""

from typing import List, Tuple

import torch
from torch import nn


class Tally(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen: List[int] = [0]

    def forward(self, n: int) -> int:
        self.seen.append(n)
        return len(self.seen)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.tally = Tally()

    def forward(self, n: int) -> Tuple[int, int, List[int]]:
        first = torch.jit.fork(self.tally, n)
        a = torch.jit.wait(first)
        again = torch.jit.wait(first)
        b = torch.jit.wait(torch.jit.fork(self.tally.forward, n=n * 2))
        return a + again, b, self.tally.seen


def build():
    return Net()


def inputs():
    return [(3,), (4,)]
