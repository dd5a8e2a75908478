"""A device is a value of its own; a dtype, a layout and a memory format are ints."""

from typing import Optional, Tuple

import torch


def program(
    x: torch.Tensor, dtype: Optional[torch.dtype], device: torch.device
) -> Tuple[torch.Tensor, bool, int, torch.device, str]:
    y = x.to(device)
    if dtype is None:
        dtype = torch.float64
    y = y.to(dtype)
    same = x.dtype == y.dtype or y.dtype == torch.int32
    z = torch.zeros([2], dtype=dtype, device=y.device)
    return z + y, same, 1 if z.is_floating_point() else 0, y.device, device.type


def inputs():
    return [
        (torch.arange(2), None, torch.device("cpu")),
        (torch.ones(2), torch.int32, torch.device("cpu")),
        (torch.ones(2), torch.float32, torch.device("cpu", 0)),
    ]
