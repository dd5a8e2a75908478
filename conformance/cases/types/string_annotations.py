"""Annotations written as strings are evaluated in the module's namespace."""

from typing import List, Optional

import torch

Tensors = List[torch.Tensor]


def program(xs: "Tensors", default: "Optional[torch.Tensor]" = None) -> "torch.Tensor":
    total = torch.zeros([])
    for x in xs:
        total = total + x.sum()
    if default is not None:
        total = total + default
    return total


def inputs():
    return [([torch.ones(2), torch.arange(3)],), ([], torch.tensor(2.0)), ([torch.zeros(0)], None)]
