"""A class that is made with samples for its annotations."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width: int, bias: bool, activation: str = "relu"):
        super().__init__()
        self.linear = nn.Linear(width, width, bias=bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x).reluu()  # E: TS302
