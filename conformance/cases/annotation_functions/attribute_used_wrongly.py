"""The type that Attribute gives holds where the attribute is used."""

from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = torch.jit.Attribute([], List[str])

    def forward(self, n: int) -> int:
        self.seen.append(str(n))
        self.seen.append(n)  # error
        return n


def build():
    return Net()
