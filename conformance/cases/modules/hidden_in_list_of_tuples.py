"""Tensors pass through lists of tuples, dicts and NamedTuples between submodules."""

from typing import Dict, List, NamedTuple, Tuple

import torch
from torch import nn


class Item(NamedTuple):
    key: str
    value: torch.Tensor


class Produce(nn.Module):
    def forward(self, x: torch.Tensor) -> List[Tuple[int, Item]]:
        return [(i, Item(str(i), x * i)) for i in range(3)]


class Consume(nn.Module):
    def forward(self, items: List[Tuple[int, Item]]) -> Dict[str, torch.Tensor]:
        found: Dict[str, torch.Tensor] = {}
        for n, (key, value) in items:
            found[key] = value + n
        return found


class Chain(nn.Module):
    def __init__(self):
        super().__init__()
        self.produce = Produce()
        self.consume = Consume()

    def forward(self, x: torch.Tensor) -> Tuple[Dict[str, torch.Tensor], str]:
        items = self.produce(x)
        items.append((7, Item(key="last", value=x)))
        return self.consume(items), items[-2][1].key


def build():
    return Chain()


def inputs():
    return [(torch.ones(1),), (torch.arange(2),)]
