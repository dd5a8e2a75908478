"""list() and reversed iteration over what a loop can walk."""

from typing import List, Tuple

import torch


def program(values: List[str], n: int, x: torch.Tensor) -> Tuple[List[int], List[str], List[torch.Tensor]]:
    numbers = list(range(n))
    numbers.reverse()
    letters = list("ab" + "c")
    for value in values:
        letters.append(value)
    letters.reverse()
    rows = list(x)
    return numbers, letters, rows


def inputs():
    return [(["x", "yy"], 3, torch.arange(4).view(2, 2)), ([], 0, torch.zeros(1, 2))]
