"""A shape is a list of ints of its own: changing it does not change the tensor."""

from typing import List, Tuple

import torch


def program(x: torch.Tensor) -> Tuple[List[int], List[int], torch.Tensor]:
    shape = x.shape
    shape.append(1)
    return shape, x.size(), x.view(shape)


def inputs():
    return [(torch.ones(2, 3),), (torch.tensor(1),), (torch.zeros(0, 2),)]
