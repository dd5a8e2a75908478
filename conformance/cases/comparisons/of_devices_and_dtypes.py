"""Devices and dtypes are compared for equality."""

from typing import List

import torch


def program(a: torch.Tensor, b: torch.Tensor) -> List[bool]:
    return [
        a.dtype == b.dtype,
        a.dtype != torch.float32,
        a.device == b.device,
        a.device == torch.device("cpu"),
        a.layout == torch.strided,
    ]


def inputs():
    return [(torch.ones(1), torch.ones(2)), (torch.tensor(1), torch.tensor(True))]
