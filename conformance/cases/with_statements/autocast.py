"""In a block of autocast, operators for which half the bits are enough compute with those."""

from typing import List

import torch


def program(x: torch.Tensor) -> List[torch.Tensor]:
    found = [torch.mm(x, x)]
    with torch.autocast("cpu"):
        found.append(torch.mm(x, x))
        with torch.autocast(device_type="cpu", enabled=False):
            found.append(torch.mm(x, x) * 2)
    with torch.autocast("cpu", dtype=torch.float16):
        found.append(torch.matmul(x, x))
    with torch.cpu.amp.autocast():
        found.append(torch.nn.functional.linear(x, x))
    found.append(torch.mm(x, x))
    return found


def inputs():
    return [(torch.ones(2, 2),), (torch.eye(3),)]
