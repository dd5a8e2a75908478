"""to() takes a dtype, a device, both or another tensor; each type has a method too."""

from typing import List

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> List[torch.Tensor]:
    return [
        x.to(torch.float64),
        x.to("cpu"),
        x.to(torch.device("cpu"), torch.int32),
        x.to(y),
        x.to(dtype=torch.bool),
        x.long(),
        x.half(),
        x.type_as(y),
    ]


def inputs():
    return [(torch.tensor([1.9, -0.5]), torch.tensor([1])), (torch.tensor([300, -1]), torch.tensor(True))]
