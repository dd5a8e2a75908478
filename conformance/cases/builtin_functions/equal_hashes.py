"""A tensor or a device has a hash by which it is found again; equal numbers of two types differ in theirs."""

from typing import Tuple

import torch
from torch import Tensor


def program(x: Tensor, n: int) -> Tuple[bool, bool, bool, bool]:
    same = x
    cpu = torch.device("cpu")
    return hash(x) == hash(same), hash(x) == hash(x + 1), hash(cpu) == hash(torch.device("cpu")), hash(n) == hash(float(n))


def inputs():
    return [(torch.ones(2), 3), (torch.ones(2), 0)]
