"""A class with a typo and no instance."""
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return torch.softmaxx(x, 1)  # E: TS302
