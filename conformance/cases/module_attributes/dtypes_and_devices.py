"""A dtype is an int as an attribute, in a tuple, in a dict and in a list of Optionals; a device may be in any of them."""

from typing import List, Optional, Tuple

import torch
from torch import Tensor, nn


class Cast(nn.Module):
    perhaps: List[Optional[torch.dtype]]

    def __init__(self):
        super().__init__()
        self.default = torch.float64
        self.pair = (torch.float16, torch.int64)
        self.named = {"half": torch.float16, "byte": torch.uint8}
        self.perhaps = [None, torch.bool]
        self.pairs = [(torch.float32, "single")]
        self.devices = [torch.device("cpu"), torch.device("meta")]
        self.layout = (torch.strided,)

    def forward(self, x: Tensor, name: str) -> Tuple[Tensor, List[Optional[int]], str]:
        y = x.to(self.named[name]).to(self.pair[1]).to(self.default)
        numbers = [self.layout[0], self.pairs[0][0]]
        return y.to(self.devices[0]), self.perhaps, str(self.devices[1]) + str(numbers)


def build():
    return Cast()


def inputs():
    return [(torch.tensor([1.5, -2.25]), "half"), (torch.tensor([3]), "byte"), (torch.ones(1), "no")]
