"""A torch.Size is a list of ints in compiled code: it is added to, compared and changed as one."""

from typing import List, Tuple

import torch


def program(x: torch.Tensor) -> Tuple[List[int], bool, torch.Tensor]:
    shape = x.shape
    shape.append(1)
    wanted = torch.Size([2, 3])
    return shape + [x.dim()], x.size() == wanted, x.new_ones(wanted[::-1])


def inputs():
    return [(torch.zeros(2, 3),), (torch.tensor(1),)]
