"""A torch function has overloads: the first that the arguments' types fit is called."""

from typing import List

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> List[torch.Tensor]:
    values, indices = torch.max(x, 1)
    return [torch.max(x), torch.max(x, y), values, indices, torch.sum(x), torch.sum(x, [0], True)]


def inputs():
    return [(torch.tensor([[1, 5], [4, 2]]), torch.tensor(3)), (torch.ones(2, 1), torch.zeros(1))]
