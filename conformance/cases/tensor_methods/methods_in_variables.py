"""A bound method in a variable is called later, with the tensor that it was bound to."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    add = x.add
    x = x * 100
    return add(x)


def inputs():
    return [(torch.tensor([1, 2]),), (torch.tensor(-0.5),)]
