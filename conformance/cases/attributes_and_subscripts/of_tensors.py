"""An attribute of a tensor is a property that the language knows."""

from typing import List, Tuple

import torch


def program(x: torch.Tensor) -> Tuple[List[int], int, bool]:
    return x.shape, x.ndim, x.is_sparse or x.requires_grad


def inputs():
    return [(torch.ones(2, 3),), (torch.tensor(1.0, requires_grad=True),), (torch.ones(0),)]
