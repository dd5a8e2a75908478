"""annotate converts nothing: the expression must be of the type."""

from typing import List

import torch


def program(n: int, s: str) -> List[int]:
    values = torch.jit.annotate(List[int], [n])
    return values + torch.jit.annotate(List[int], s)  # error
