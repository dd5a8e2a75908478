"""torch.jit.Attribute gives an attribute of a module a type that its value does not show."""

from typing import Dict, List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = torch.jit.Attribute([], List[str])
        self.table = torch.jit.Attribute({}, Dict[str, int])

    def forward(self, s: str) -> int:
        self.seen.append(s)
        self.table[s] = len(self.seen)
        return self.table[s] * 10 + len(self.table)


def build():
    return Net()


def inputs():
    return [("a",), ("b",), ("a",)]
