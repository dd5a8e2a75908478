"""pad with constant and other modes, on each side its own, and by a computed list."""

from typing import List

import torch
import torch.nn.functional as F


def program(x: torch.Tensor, n: int) -> List[torch.Tensor]:
    sizes = [n, 1]
    return [
        F.pad(x, sizes),
        F.pad(x, [0, 0, n, n], value=2.5),
        F.pad(x, (1, n), mode="reflect"),
        F.pad(x, sizes + [0, 1], "replicate") if x.dim() == 3 else F.pad(x, [1], "constant", -1.0),
        F.pad(x, [n, n], mode="circular"),
    ]


def inputs():
    return [(torch.arange(6.0).view(1, 2, 3), 1), (torch.arange(12.0).view(1, 3, 4), 2), (torch.ones(2, 2), 1)]
