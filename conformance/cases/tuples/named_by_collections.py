"""The fields of a collections.namedtuple are Tensors; typing.NamedTuple gives them types, in a call too."""

from collections import namedtuple
from typing import Dict, NamedTuple, Tuple

import torch

Pair = namedtuple("Pair", ["first", "second"])
Entry = NamedTuple("Entry", [("name", str), ("sizes", Dict[str, int])])


def swapped(pair: Pair) -> Pair:
    return Pair(second=pair.first, first=pair.second * 2)


def program(x: torch.Tensor, name: str) -> Tuple[Pair, Entry, int]:
    entry = Entry(name, {name: x.size(0)})
    return swapped(Pair(x, x + 1)), entry, entry.sizes[entry.name]


def inputs():
    return [(torch.tensor([1, 2]), "n"), (torch.ones(1), "")]
