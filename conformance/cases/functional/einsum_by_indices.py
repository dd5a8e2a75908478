"""einsum with lists of indices behind its operands, in the place of an equation."""

from typing import List

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> List[torch.Tensor]:
    outer = torch.einsum(x, [0, 1], y, [1, 2], [0, 2])
    return [outer, torch.einsum(x, [0, 0])]


def inputs():
    return [(torch.arange(4.0).view(2, 2), torch.ones(2, 3)), (torch.eye(3), torch.ones(3, 1))]
