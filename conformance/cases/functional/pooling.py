"""Average, LP and adaptive pooling with ints, lists and None for sizes."""

from typing import List

import torch
import torch.nn.functional as F


def program(x: torch.Tensor) -> List[torch.Tensor]:
    return [
        F.avg_pool2d(x, 2, stride=1, padding=1, count_include_pad=False),
        F.avg_pool1d(x[0], 2),
        F.adaptive_avg_pool2d(x, [1, 2]),
        F.adaptive_avg_pool1d(x[0], 1),
        F.lp_pool2d(x, 2.0, 2),
        F.max_pool1d(x[0], 2, stride=1, dilation=1, ceil_mode=True),
        F.unfold(x, (2, 2)),
    ]


def inputs():
    return [(torch.arange(16.0).view(1, 1, 4, 4),), (torch.ones(1, 2, 2, 2),), (torch.ones(1, 1, 1, 1),)]
