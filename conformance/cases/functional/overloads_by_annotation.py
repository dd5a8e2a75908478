"""interpolate has overloads for int, list and None: the call's types select one to compile."""

from typing import List

import torch
import torch.nn.functional as F


def program(x: torch.Tensor, factor: float) -> List[torch.Tensor]:
    return [
        F.interpolate(x, size=3),
        F.interpolate(x, size=[2, 4], mode="bilinear", align_corners=True),
        F.interpolate(x, scale_factor=factor),
        F.interpolate(x, scale_factor=[2.0, 1.0], mode="bilinear", align_corners=False),
    ]


def inputs():
    return [(torch.arange(4.0).view(1, 1, 2, 2), 2.0), (torch.ones(1, 1, 1, 3), 1.5)]
