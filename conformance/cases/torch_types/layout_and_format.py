"""Layouts and memory formats are constants, given by keyword and compared."""

from typing import List

import torch


def program(x: torch.Tensor) -> List[bool]:
    y = x.contiguous(memory_format=torch.channels_last)
    last = y.is_contiguous(memory_format=torch.channels_last)
    return [x.layout == torch.strided, last, x.is_contiguous()]


def inputs():
    return [(torch.ones(1, 2, 3, 4),), (torch.ones(2, 1, 1, 1),)]
