"""An empty list is a list of tensors unless an annotation, in the place where it is made, says otherwise."""

from typing import Dict, List, Tuple

import torch


def program(x: torch.Tensor, n: int) -> Tuple[List[torch.Tensor], List[int], Dict[str, torch.Tensor], int]:
    tensors = []
    tensors.append(x)
    numbers: List[int] = []
    numbers.append(n)
    table = {}
    table["x"] = x
    typed = torch.jit.annotate(List[List[int]], [])
    typed.append(numbers)
    numbers.append(n + 1)
    return tensors, typed[0], table, len(typed)


def inputs():
    return [(torch.ones(2), 1), (torch.zeros(0), -4)]
