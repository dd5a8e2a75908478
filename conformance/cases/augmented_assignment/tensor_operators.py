"""On a tensor, += -= *= and /= write into its memory; %= and **= compute a new tensor, or do so in place."""

from typing import List

import torch


def program(x: torch.Tensor) -> List[torch.Tensor]:
    a, b, c, d = x.clone(), x.clone(), x.clone(), x.clone()
    same_a, same_b, same_c, same_d = a, b, c, d
    a /= 2
    b **= 2
    c %= 2
    d -= x
    return [same_a, same_b, same_c, same_d, a, b, c, d]


def inputs():
    return [(torch.tensor([-3.0, 0.5, float("inf")]),), (torch.zeros(0),)]
