"""A call of what is no function."""
from typing import Dict

from torch import nn


class Net(nn.Module):
    def forward(self, sizes: Dict[str, int]) -> int:
        return sizes("a")  # E: TS403
