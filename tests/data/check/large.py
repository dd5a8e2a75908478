"""A module that would not fit into memory."""
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(1 << 20, 1 << 20)

    def forward(self, x):
        return self.linear(x).nothing()  # E: TS302
