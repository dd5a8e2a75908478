"""A class that Python cannot make either."""
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linearr(2, 2)  # E: TS801

    def forward(self, x):
        return self.linear(x)
