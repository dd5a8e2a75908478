"""The operators that ask which gradients are there take any number of tensors, and lists of them."""

from typing import List, Tuple

import torch


def program(x: torch.Tensor, xs: List[torch.Tensor]) -> Tuple[bool, bool, bool, bool, bool]:
    none = torch.ops.prim.AutogradAllZero(), torch.ops.prim.AutogradAnyNonZero()
    some = torch.ops.prim.AutogradAllNonZero(x, x), torch.ops.prim.AutogradAnyNonZero(xs)
    return none[0], none[1], some[0], some[1], torch.ops.prim.AutogradAllZero(x)


def inputs():
    return [(torch.ones(2), [torch.ones(1)]), (torch.ones(2), [])]
