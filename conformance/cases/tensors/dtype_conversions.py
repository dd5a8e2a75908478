"""to() in its forms, type methods and type_as; conversion truncates and wraps as torch's does."""

from typing import List

import torch


def program(x: torch.Tensor, like: torch.Tensor) -> List[torch.Tensor]:
    return [
        x.to(torch.int64),
        x.to(like),
        x.to(like.dtype),
        x.to(device="cpu", dtype=torch.float64),
        x.int(),
        x.long() // 2,
        x.to(torch.bool),
        x.half(),
        x.double(),
        x.type_as(like),
        x.to("cpu", torch.uint8),
        x.float().to(torch.int8, copy=True),
    ]


def inputs():
    return [
        (torch.tensor([1.75, -2.5, 0.0]), torch.tensor(1)),
        (torch.tensor([1, 0, 5]), torch.tensor([0.5])),
        (torch.tensor([True, False]), torch.ones(1, dtype=torch.float16)),
    ]
