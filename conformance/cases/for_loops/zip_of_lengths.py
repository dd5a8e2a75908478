"""zip stops at the shortest, whatever it is made of; a range and a list may be mixed."""

from typing import List

import torch


def program(values: List[int], text: str, x: torch.Tensor) -> List[str]:
    found: List[str] = []
    for v, c, i in zip(values, text, range(10)):
        found.append(c + str(v * i))
    for i, (row, v) in enumerate(zip(x, values)):
        found.append(str(int(row) + i * v))
    return found


def inputs():
    return [([1, 2, 3], "ab", torch.tensor([7, 8])), ([], "a", torch.ones(1)), ([4], "xyz", torch.zeros(0))]
