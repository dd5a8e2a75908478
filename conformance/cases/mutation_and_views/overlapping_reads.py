"""An expanded tensor is read like any other; a clone of it has memory of its own to write into."""

import copy
from typing import Tuple

import torch


def program(x: torch.Tensor, n: int) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    wide = x.expand(n)
    copy = wide.clone()
    copy.add_(torch.arange(n))
    x.add_(10)
    return x, wide + 0, copy


def inputs():
    return [(torch.zeros(1), 3), (torch.ones(1), 1), (torch.ones(1), 0)]
