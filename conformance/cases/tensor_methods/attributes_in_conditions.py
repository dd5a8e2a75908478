"""dtype, device, shape and the like are values to compare and to compute with."""

from typing import List, Tuple

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> Tuple[bool, bool, int, List[int], str]:
    total = x.shape[0] * x.ndim
    return x.dtype == y.dtype, x.device == y.device, total, x.shape + y.shape, x.device.type


def inputs():
    return [(torch.ones(2, 3), torch.ones(1).int()), (torch.zeros(0), torch.tensor(1.0)), (torch.tensor(1), torch.tensor(1))]
