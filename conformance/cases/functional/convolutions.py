"""Convolutions take ints, lists and strings for stride, padding and dilation."""

from typing import List

import torch
import torch.nn.functional as F


def program(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> List[torch.Tensor]:
    return [
        F.conv2d(x, w),
        F.conv2d(x, w, b, padding="same"),
        F.conv2d(x, w, bias=b, stride=2, padding=(1, 0)),
        F.conv2d(x, w, b, [1, 2], 1, dilation=2),
        F.conv_transpose2d(x, w.transpose(0, 1), stride=2),
        F.conv1d(x[:, :, 0], w[..., 0], padding=1),
    ]


def inputs():
    return [
        (torch.arange(25.0).view(1, 1, 5, 5), torch.ones(2, 1, 3, 3), torch.tensor([0.5, -0.5])),
        (torch.ones(2, 1, 3, 3), torch.ones(1, 1, 1, 1), torch.zeros(1)),
        (torch.ones(1, 2, 3, 3), torch.ones(1, 1, 1, 1), torch.zeros(1)),
    ]
