"""torch.jit.Attribute gives a value and the type it is to have."""

from typing import List, Optional, Tuple

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = torch.jit.Attribute(None, Optional[int])
        self.names = torch.jit.Attribute([], List[str])

    def forward(self, n: int) -> Tuple[Optional[int], List[str]]:
        before = self.last
        self.last = n
        self.names.append(str(n))
        return before, self.names


def build():
    return Net()


def inputs():
    return [(1,), (-2,)]
