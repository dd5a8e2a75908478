"""An empty list without an annotation is one of tensors, of which torch.tensor makes none."""

from typing import List

import torch


def program(values: List[float]) -> torch.Tensor:
    if len(values) > 0:
        return torch.tensor(values)
    return torch.tensor([])


def inputs():
    return [([0.5],), ([],)]
