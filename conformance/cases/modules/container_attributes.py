"""Lists and dicts of numbers and tensors as attributes are shared, changed in place and replaced."""

from typing import Dict, List

import torch
from torch import nn

from conformance.case import call


class Store(nn.Module):
    table: Dict[str, int]
    empty: List[str]
    held: List[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.table = {"a": 1}
        self.values = [1, 2]
        self.pair = (1, "x")
        self.empty = []
        self.held = []

    def forward(self, name: str, n: int) -> int:
        values = self.values
        values.append(n)
        self.values[0] += 1
        if name in self.table:
            self.table[name] += n
        else:
            self.table[name] = len(self.empty)
            self.empty.append(name)
        self.held.append(torch.tensor(n))
        self.pair = (self.pair[0] + n, self.pair[1] + name)
        return len(self.values) + self.pair[0] + len(self.held)

    @torch.jit.export
    def contents(self) -> List[str]:
        self.values = torch.jit.annotate(List[int], [])
        return self.empty + [k + str(v) for k, v in self.table.items()] + [self.pair[1]]


def build():
    return Store()


def inputs():
    return [("a", 5), ("b", 1), ("b", 2), call(method="contents"), ("c", -1)]
