"""A method is the function of the same name with the tensor as its first argument."""

from typing import List

import torch


def program(x: torch.Tensor) -> List[bool]:
    return [
        x.add(1).equal(torch.add(x, 1)),
        x.sum(dim=0, keepdim=True).equal(torch.sum(x, 0, True)),
        x.mul(other=x).equal(torch.mul(x, x)),
    ]


def inputs():
    return [(torch.tensor([1.0, -2.0]),), (torch.zeros(0),)]
